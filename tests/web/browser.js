// browser.js — a headless browser with the page in it, and what the tests ask of it.
'use strict';
const fs = require('fs');
const http = require('http');
const path = require('path');
const puppeteer = require('puppeteer-core');

const kKinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json' };

// As strict as a server can be that serves the page: nothing inline, nothing from elsewhere.
const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data: blob:; manifest-src 'self'; worker-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

// A plain static server on a port of its own. `lacks` matches the names of files that it has not; `late`, of those whose
// first half comes at once and whose second is held until `let_go`.
function serve(folder, { lacks, late, policy = kPolicy } = {}) {
  return new Promise(function (resolve) {
    const held = [];
    const server = http.createServer(function (request, response) {
      const name = decodeURIComponent(request.url.split('?')[0]);
      const file = path.join(folder, name.endsWith('/') ? name + 'index.html' : name);
      if ((lacks && lacks.test(name)) || !file.startsWith(folder) || !fs.existsSync(file)) {
        response.writeHead(404);
        return response.end();
      }
      response.writeHead(200, { 'Content-Type': kKinds[path.extname(file)] || 'application/octet-stream',
        ...policy && { 'Content-Security-Policy': policy } });
      if (!late || !late.test(name)) return fs.createReadStream(file).pipe(response);
      const bytes = fs.readFileSync(file), half = bytes.length >> 1;
      response.write(bytes.subarray(0, half));
      held.push(function () { response.end(bytes.subarray(half)); });
    });
    server.listen(0, '127.0.0.1', function () {
      resolve({ address: `http://127.0.0.1:${server.address().port}/`, let_go: function () { held.splice(0).forEach(function (one) { one(); }); },
        close: function () { server.closeAllConnections(); server.close(); } });
    });
  });
}

async function launch(exact) {
  const drawing = exact ? ['--use-angle=gl-egl', '--ignore-gpu-blocklist']
                        : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox', '--use-gl=angle', ...drawing, '--force-color-profile=srgb', '--hide-scrollbars'],
  });
}

// One tab, which remembers every complaint and every request.
class Tab {
  static async open(browser, options = {}) {
    const tab = new Tab();
    tab.said = [];
    tab.requests = [];
    const context = await browser.createBrowserContext();
    tab.context = context;
    tab.page = await context.newPage();
    if (options.still) await tab.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await tab.page.setViewport({ width: options.width || 1280, height: options.height || 800,
      deviceScaleFactor: options.scale || 1, hasTouch: !!options.touch, isMobile: !!options.touch });
    if (options.language) await tab.page.evaluateOnNewDocument(function (language) {
      Object.defineProperty(navigator, 'language', { get: function () { return language; } });
    }, options.language);
    // A message stays for seconds, which a slow machine may miss: all of them are remembered.
    await tab.page.evaluateOnNewDocument(function () {
      window.noticed = [];
      document.addEventListener('DOMContentLoaded', function () {
        const notices = document.getElementById('notices');
        if (!notices) return;
        const take = function () {
          if (notices.textContent !== '') window.noticed.push(notices.textContent.trim().split('\n').pop());
        };
        new MutationObserver(take).observe(notices, { childList: true });
        take();  // the first frame may have been sooner
      });
    });
    // Each would otherwise keep the whole page for its next visit, which only one test makes.
    if (!options.worker) await tab.page.evaluateOnNewDocument(function () {
      Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: function () { return undefined; } });
    });
    if (options.before) await tab.page.evaluateOnNewDocument(options.before);
    tab.page.on('console', function (message) {
      if (['error', 'warn'].includes(message.type()) || /GL_INVALID/.test(message.text())) tab.said.push(message.text());
    });
    tab.page.on('pageerror', function (error) { tab.said.push(String(error)); });
    tab.page.on('request', function (request) { tab.requests.push(request.url()); });
    return tab;
  }

  // Until the first frame, in seconds.
  async go(address) {
    const began = Date.now();
    await this.page.goto(address, { timeout: 120000 });
    await this.first();
    return (Date.now() - began) / 1000;
  }
  async first() {
    await this.page.waitForFunction(function () {
      return window.posiscope && posiscope.counts.frames > 0;
    }, { polling: 20, timeout: 120000 });
    // However slow this machine is, a finger of these tests means to move.
    await this.page.evaluate(function () { posiscope.touch.longPress = 1e9; });
  }
  async chord(held, key) {
    for (const one of held) await this.page.keyboard.down(one);
    await this.page.keyboard.press(key);
    for (const one of held) await this.page.keyboard.up(one);
  }
  // A screenshot for somebody who wants to look: LOOK names their folder.
  async look(name) {
    if (process.env.LOOK) await this.page.screenshot({ path: path.join(process.env.LOOK, name + '.png') });
  }
  frames() { return this.page.evaluate(function () { return posiscope.counts.frames; }); }
  // Until nothing is due any more, now and a moment later.
  async rest() {
    let rested = -1;
    await this.until('the page comes to rest', async function () {
      const { frames, resting } = await this.page.evaluate(function () { return posiscope.counts; });
      const still = resting && frames === rested;
      rested = resting ? frames : -1;
      return still;
    }.bind(this));
  }
  // Until what has happened is in the picture.
  async drawn() {
    const before = await this.frames();
    await this.page.evaluate(function () { posiscope.places(); });  // which asks for frames
    await this.until('frames', async function () { return await this.frames() > before + 1; }.bind(this));
  }
  hash() { return this.page.evaluate(function () { return location.hash; }); }
  // What the address holds; {} before the first step, and where the address is damaged.
  async scene() {
    const hash = await this.hash();
    try {
      return hash.startsWith('#scene=') ? JSON.parse(decodeURIComponent(hash.slice(7).split('&')[0])) : {};
    } catch (damaged) {
      return {};
    }
  }
  async until(name, holds) {
    for (let i = 0; i < 600; ++i) {
      if (await holds()) return;
      await new Promise(function (done) { setTimeout(done, 50); });
    }
    throw new Error('waited in vain: ' + name);
  }
  // Where a control, a handle or a widget of this name stands once it is drawn, in CSS pixels (Page::places).
  async place(name) {
    let found;
    await this.until('a place of ' + name, async function () {
      return found = await this.page.evaluate(function (name) { return posiscope.places()[name]; }, name);
    }.bind(this));
    return found;
  }
  // A point of it: of its width and height, and so many pixels lower.
  async point(name, across = 0.5, down = 0.5, lower = 0) {
    const { x, y, width, height } = await this.place(name);
    return [x + across * width, y + down * height + lower];
  }
  async click(name, options) { await this.page.mouse.click(...await this.point(name), options); }
  async tap(name, ...where) { await this.page.touchscreen.tap(...await this.point(name, ...where)); }
  async drag(from, to) {
    const mouse = this.page.mouse;
    await mouse.move(from[0], from[1]);
    await this.rest();
    await mouse.down();
    await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 2 });
    await mouse.move(to[0], to[1], { steps: 2 });
    await mouse.up();
    await this.rest();
  }
  // Fingers, all at once: each from its first place to its last, in steps that the page sees one by one. `held`: so many ms they stay
  // there, or what they scrolled goes on.
  async fingers(paths, steps = 6, held = 0) {
    const cdp = this.cdp || (this.cdp = await this.page.createCDPSession());
    const at = function (t) {
      return paths.map(function ([from, to], id) {
        return { id, x: from[0] + (to[0] - from[0]) * t, y: from[1] + (to[1] - from[1]) * t };
      });
    };
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let i = 1; i <= steps; ++i)
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(i / steps) });
    if (held > 0) await new Promise(function (done) { setTimeout(done, held); });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }
  // The field of text has the keyboard, or has it no longer.
  types() { return this.page.evaluate(function () { return document.activeElement.id === 'typed'; }); }
  go_to(hash) { return this.page.evaluate(function (hash) { location.hash = hash; }, hash); }
  // Where the browser puts what the page saves, and the file of an ending there once it is whole.
  async saves_into(folder) {
    const cdp = await this.page.createCDPSession();
    await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId: this.context.id });
    return async function (ending) {
      let found;
      await this.until('the ' + ending, function () {
        found = fs.readdirSync(folder).filter(function (name) { return name.endsWith(ending); }).map(function (name) { return path.join(folder, name); })[0];
        return found && fs.statSync(found).size > 0;
      });
      return found;
    }.bind(this);
  }
  // What somebody with a screen reader hears of the figures.
  heard() { return this.page.evaluate(function () { return document.getElementById('description').textContent; }); }
  // And of the messages in its corner.
  last_notice() {
    return this.page.evaluate(function () { return window.noticed[window.noticed.length - 1] || ''; });
  }
  drop(name, bytes) { return this.drop_all([[name, bytes]]); }
  async drop_all(files) {
    await this.page.evaluate(function (files) {
      const dropped = new DataTransfer();
      for (const [name, text] of files)
        dropped.items.add(new File([Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); })], name));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }, files.map(function ([name, bytes]) { return [name, Buffer.from(bytes).toString('base64')]; }));
  }
  async close() { await this.context.close(); }
}

module.exports = { serve, launch, Tab };
