// zoom.js PAGE: the browser's own zoom in real windows of Chromium and Firefox, under Xvfb with a window manager: Ctrl + and Ctrl −
// by keys, then a slider is dragged and a bench opened where they are drawn. An emulated ratio hides what this looks for: the
// canvas keeps its pixels while a point gets more of them. Browsers and tools that are not here are said and left out.
'use strict';
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync, spawn, spawnSync } = require('child_process');
const puppeteer = require('puppeteer-core');
const { serve } = require('./browser.js');

const kSize = [1800, 1300];
const kBrowsers = { chrome: process.env.CHROMIUM || '/usr/bin/chromium', firefox: process.env.FIREFOX || '/usr/bin/firefox-esr' };
// In per cent; a browser takes the step of its own that is next to it.
const kZooms = [67, 90, 110, 125, 150, 200];
const pause = function (ms) { return new Promise(function (done) { setTimeout(done, ms); }); };

async function until(name, holds) {
  for (let i = 0; i < 200; ++i) {
    if (await holds()) return;
    await pause(100);
  }
  throw new Error('waited in vain: ' + name);
}

async function check(kind, address, display) {
  const env = { ...process.env, DISPLAY: display, MOZ_ENABLE_WAYLAND: '0' };
  const tool = function (...words) { return execFileSync('xdotool', words.map(String), { env }).toString(); };
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'posiscope-zoom-'));
  const browser = await puppeteer.launch({ browser: kind, executablePath: kBrowsers[kind], headless: false, env, userDataDir: profile,
    defaultViewport: null, args: kind === 'chrome' ? ['--no-sandbox', '--window-size=' + kSize.join(), '--window-position=0,0', '--no-first-run',
      '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--width=' + kSize[0], '--height=' + kSize[1]],
    ...kind === 'firefox' && { extraPrefsFirefox: { 'webgl.force-enabled': true, 'browser.aboutwelcome.enabled': false } } });
  try {
    const page = (await browser.pages())[0];
    const ready = async function () {
      await page.waitForFunction(function () { return window.posiscope && posiscope.counts.frames > 3; }, { polling: 100, timeout: 120000 });
      await page.evaluate(function () {
        window.pointed = null;
        addEventListener('mousemove', function (e) { window.pointed = [e.clientX * devicePixelRatio, e.clientY * devicePixelRatio]; }, true);
      });
    };
    await page.goto(address);
    await ready();
    const scene = async function () {
      const hash = await page.evaluate(function () { return location.hash; });
      return hash.startsWith('#scene=') ? JSON.parse(decodeURIComponent(hash.slice(7).split('&')[0])) : {};
    };
    const state = function () {
      return page.evaluate(function () {
        const box = canvas.getBoundingClientRect();
        return { ratio: devicePixelRatio, canvas: [canvas.width, canvas.height], box: [box.width, box.height] };
      });
    };
    // The canvas's corner on the screen, by a mouse that is moved: windows have frames and bars of their own.
    const corner = async function () {
      const at = [700, 500];
      await page.evaluate(function () { window.pointed = null; });
      await until('the mouse', async function () {
        tool('mousemove', ...at.map(function (x) { return x + Math.floor(3 * Math.random()) - 1; }));
        await pause(60);
        tool('mousemove', ...at);
        await pause(150);
        return page.evaluate(function () { return window.pointed !== null; });
      });
      const pointed = await page.evaluate(function () { return window.pointed; });
      return [at[0] - pointed[0], at[1] - pointed[1]];
    };
    // However slow this machine is: what was done has its frames.
    const rest = async function () {
      await pause(80);
      await until('the page comes to rest', function () { return page.evaluate(function () { return posiscope.counts.resting; }); });
    };
    // Where something stands on the screen, as the program has drawn it; null where it is not.
    const place = async function (...names) {
      await page.evaluate(function () { posiscope.places(); });
      await rest();
      const [[left, top], found] = [origin, await page.evaluate(function (names) {
        const all = posiscope.places(), { left, top } = canvas.getBoundingClientRect(), one = names.map(function (name) { return all[name]; }).find(Boolean);
        return one && [one.x - left, one.y - top, one.width, one.height].map(function (x) { return x * devicePixelRatio; });
      }, names)];
      return found ? { x: left + found[0], y: top + found[1], width: found[2], height: found[3] } : null;
    };
    const to = function ({ x, y, width, height }, across, down = 0.5) {
      tool('mousemove', Math.round(x + across * width), Math.round(y + down * height));
    };
    const press = async function (...names) {
      let found;
      await until(names.join(), async function () { return found = await place(...names); });
      to(found, 0.5);
      await rest();
      tool('click', 1);
      await rest();
    };
    let origin = [0, 0];
    const heights = {}, said = [];
    const zoom_to = async function (percent) {
      tool('mousemove', 700, 500);
      const ratio = async function () { return 100 * (await state()).ratio; };
      const up = await ratio() < percent;
      for (let now = await ratio(); up ? now < percent - 6 : now > percent + 6;) {
        const before = now;
        tool('key', up ? 'ctrl+plus' : 'ctrl+minus');
        await until('the ratio', async function () { return (now = await ratio()) !== before; });
      }
      await pause(700);
    };
    const tried = async function (percent) {
      const { ratio, canvas, box } = await state();
      for (const i of [0, 1]) assert.ok(Math.abs(canvas[i] - box[i] * ratio) <= 1.5, `${percent} %: ${canvas} for ${box} times ${ratio}`);
      origin = await corner();
      await page.evaluate(function () { location.hash = '#scene=%7B%7D'; });
      await rest();
      tool('mousemove', Math.round(origin[0]) + 3, Math.round(origin[1]) + canvas[1] - 4, 'click', 1);  // nothing is there; the page gets the keys
      await rest();
      if (!await place('position')) {  // the sidebar is folded
        tool('key', 's');
        await rest();
      }
      const track = await place('position'), target = said.length % 2 === 0 ? 0.5 : 0.75;
      assert.ok(track, percent + ' %: a slider');
      heights[percent] = track.height;
      to(track, 0.25);
      await rest();
      tool('mousedown', 1);
      await rest();
      for (const part of [0.3, 0.4, target - 0.02, target]) {
        to(track, part);
        await rest();
      }
      tool('mouseup', 1);
      let dragged;
      await until(`${percent} %: the drag to ${target}`, async function () {
        const { position, length = 128 } = await scene();
        dragged = position / (length - 1);
        return Math.abs(dragged - target) < 0.08;
      });
      if (!await place('Debug')) await press('Overview', 'Rotations');  // a narrow bar has a list of benches
      await press('Debug');
      await until(`${percent} %: a bench`, async function () { return (await scene()).bench === 'debug'; });
      return `${percent} % (${ratio.toFixed(2)}): ${dragged.toFixed(2)} of ${target}`;
    };
    for (const percent of [...kZooms, 100]) {
      await zoom_to(percent);
      if (process.env.LOOK) execFileSync('import', ['-window', 'root', path.join(process.env.LOOK, `zoom_${kind}_${percent}.png`)], { env });
      said.push(await tried(percent));
      if (percent !== 150) continue;
      await page.reload();
      await ready();
      await pause(500);
      said.push('reloaded, ' + await tried(percent));
    }
    assert.ok(Math.max(...Object.values(heights)) > 1.3 * heights[100], `words follow the zoom: ${JSON.stringify(heights)}`);
    console.log(`ok      zoom ${kind}: ${said.join(', ')}`);
  } catch (error) {
    if (process.env.LOOK) spawnSync('import', ['-window', 'root', path.join(process.env.LOOK, `zoom_${kind}_failed.png`)], { env });
    throw error;
  } finally {
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

async function main() {
  const [folder] = process.argv.slice(2);
  const missing = ['Xvfb', 'openbox', 'xdotool'].filter(function (tool) { return spawnSync('sh', ['-c', 'command -v ' + tool]).status !== 0; });
  if (missing.length > 0) return console.log('zoom is not tested: not here are ' + missing.join(', '));
  const server = await serve(path.resolve(folder));
  const number = 90 + process.pid % 400, display = ':' + number;
  const screen = spawn('Xvfb', [display, '-screen', '0', '1900x1400x24'], { stdio: 'ignore' });
  await until('a screen', function () { return fs.existsSync(`/tmp/.X11-unix/X${number}`); });
  const manager = spawn('openbox', [], { stdio: 'ignore', env: { ...process.env, DISPLAY: display } });
  let failed = 0;
  for (const [kind, program] of Object.entries(kBrowsers)) {
    if (!fs.existsSync(program)) {
      console.log(`zoom is not tested in ${kind}: ${program} is not here`);
      continue;
    }
    await check(kind, server.address, display).catch(function (error) {
      ++failed;
      console.log(`FAILED  zoom ${kind}: ${error.stack}`);
    });
  }
  manager.kill();
  screen.kill();
  server.close();
  process.exit(failed === 0 ? 0 : 1);
}

main();
