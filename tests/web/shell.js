// shell.js — the page around the program: until it is there, when it cannot be, what a reload leaves, its address, other
// people's pages, telephones, paper, and who hears it.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { PNG } = require('pngjs');
const { execFileSync } = require('child_process');
const { serve } = require('./browser.js');

// A file of q and k, or of anything: [name, shape] and zeros, but for what `fill` says of the bytes.
function safetensors(arrays) {
  const header = {};
  let at = 0;
  for (const [name, shape] of arrays) {
    const bytes = 4 * shape.reduce(function (a, b) { return a * b; }, 1);
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + bytes] };
    at += bytes;
  }
  const text = Buffer.from(JSON.stringify(header)), size = Buffer.alloc(8), numbers = Buffer.alloc(at);
  size.writeBigUInt64LE(BigInt(text.length));
  for (let i = 0; i < at; i += 4) numbers.writeFloatLE(Math.sin(i), i);
  return Buffer.concat([size, text, numbers]);
}

module.exports = function (kit) {
  const { with_tab, link, work, folder, program } = kit;
  const problem = function (tab) {
    return tab.page.evaluate(function () {
      const one = document.getElementById('problem');
      return one.hidden ? '' : one.textContent;
    });
  };
  const notices = function (tab) { return tab.page.evaluate(function () { return window.noticed.splice(0).join('\n'); }); };
  // The sentence instead of the page, and nothing of it on the console but what the browser says of the cause.
  async function refused(options, address, sentence, name) {
    await with_tab(options, async function (tab) {
      await tab.page.goto(address);
      await tab.until('the sentence', async function () { return sentence.test(await problem(tab)); });
      assert.ok(await tab.page.evaluate(function () { return document.getElementById('start') === null; }), 'the bar is gone');
      await tab.look('refused_' + name);
      tab.said = [];
    });
  }

  return {
    // At the end of every frame that the browser shows, the canvas has as many pixels as its place.
    async resized() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        await tab.page.evaluate(function () {
          window.stretched = [];
          new ResizeObserver(function () {
            const own = [canvas.width, canvas.height], wanted = [canvas.clientWidth, canvas.clientHeight];
            window.stretched.push(own.join() === wanted.join() ? '' : own.join('x') + ' in ' + wanted.join('x'));
          }).observe(canvas);
        });
        for (const [width, height] of [[900, 700], [390, 844], [844, 390], [1280, 800]]) {
          await tab.page.setViewport({ width, height });
          await tab.rest();
        }
        const seen = await tab.page.evaluate(function () { return window.stretched; });
        assert.ok(seen.length > 4, 'it was looked at');
        assert.deepStrictEqual(seen.filter(Boolean), [], 'stretched');
      });
    },
    // To screens of other ratios and back, as a window is dragged: words keep their size, and a press is where it is drawn.
    async otherScreens() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        const { height } = await tab.place('position');
        for (const [i, ratio] of [2, 1.25, 1, 1.5, 0.8, 1].entries()) {
          // An emulated ratio is told to nobody by itself: once with a size, as a window is fitted to the other screen, once without.
          const width = 1280 + 4 * (i + 2 >> 1);
          await tab.page.setViewport({ width, height: 800, deviceScaleFactor: ratio });
          if (i % 2 === 1) await tab.page.evaluate(function () { window.dispatchEvent(new Event('resize')); });
          await tab.until('the pixels of ' + ratio, function () {
            return tab.page.evaluate(function (width, ratio) {
              return Math.abs(devicePixelRatio - ratio) < 1e-6 && Math.abs(canvas.width - width * ratio) < 1 && Math.abs(canvas.height - 800 * ratio) < 1;
            }, width, ratio);
          });
          await tab.rest();
          await tab.look('ratio_' + ratio);
          if (ratio >= 1) assert.ok(Math.abs((await tab.place('position')).height - height) < 1.5, 'the slider at ' + ratio);
          const wanted = i % 2 === 0 ? 0.5 : 0.25;
          await tab.drag(await tab.point('position', wanted - 0.1), await tab.point('position', wanted));
          await tab.until(`the drag at ${ratio}`, async function () {
            const { position, length = 128 } = await tab.scene();
            return Math.abs(position / (length - 1) - wanted) < 0.05;
          });
        }
      });
    },
    // A page that the browser has enlarged is pressed where it is seen. Two fingers over a figure enlarge that, not the page.
    async enlargedByTheBrowser() {
      await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
        await tab.go(kit.server.address + link({ length: 128 }));
        await tab.rest();
        const cdp = await tab.page.createCDPSession();
        const seen = function () { return tab.page.evaluate(function () { return { scale: visualViewport.scale, left: visualViewport.offsetLeft, top: visualViewport.offsetTop, canvas: [canvas.width, canvas.height].join() }; }); };
        const whole = await seen();
        for (const factor of [2, 1.5, 1]) {
          await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: factor });
          await tab.until('enlarged to ' + factor, async function () { return Math.abs((await seen()).scale - factor) < 0.01; });
          await tab.rest();
          const { left, top, canvas } = await seen();
          assert.strictEqual(canvas, whole.canvas);
          await tab.page.touchscreen.tap(24 - left, 23 - top);  // which the driver enlarges
          await tab.place('Single figure');
          await tab.page.keyboard.press('Escape');
          await tab.rest();
        }
        await tab.page.keyboard.press('2');  // the matrix
        await tab.rest();
        await cdp.send('Input.synthesizePinchGesture', { x: 195, y: 420, scaleFactor: 2, relativeSpeed: 400, gestureSourceType: 'touch' });
        await tab.until('enlarged rows', async function () { return (((await tab.scene()).view || {}).matrix || {}).rows; });
        assert.strictEqual((await seen()).scale, 1, 'the page stays as it is');
      });
    },
    // Whatever keeps the page from its picture is said, in the language of the browser.
    async failedLoads() {
      const gone = async function (lacks, sentence, name, options = {}) {
        const server = await serve(path.resolve(folder), { lacks });
        await refused({ ...options, address: server.address }, server.address, sentence, name);
        server.close();
      };
      await gone(/\.wasm$/, /could not be fetched: posiscope\.wasm \(404\)/, 'wasm');
      await gone(/posiscope-[^.]*\.js$/, /could not be fetched: posiscope-/, 'script');
      await gone(/chinese/, /页面的一部分无法获取：fonts\/chinese\.otf \(404\)/, 'chinese', { language: 'zh' });
      const address = kit.server.address;
      await refused({ before: function () { delete window.WebAssembly; } }, address, /needs a newer browser/, 'browser');
      await refused({ before: function () { WebAssembly.validate = function () { return false; }; }, language: 'zh' }, address,
        /需要较新的浏览器/, 'browser_zh');
      await refused({ before: function () {
        const give = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind === 'webgl2' ? null : give.call(this, kind, ...rest);
        };
      } }, address, /WebGL 2/, 'gl');
      await refused({}, pathToFileURL(path.join(path.resolve(folder), 'index.html')).href, /posiscope\.html/, 'disk');
    },
    // In a frame that lets it run and nothing else.
    async sandboxed() {
      const around = fs.mkdtempSync(path.join(work, 'around-'));
      fs.cpSync(folder, path.join(around, 'page'), { recursive: true });
      fs.writeFileSync(path.join(around, 'index.html'), '<!DOCTYPE html><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="page/"></iframe>');
      const server = await serve(around);
      await with_tab({ address: server.address }, async function (tab) {
        await tab.page.goto(server.address);
        const frame = await (await tab.page.waitForSelector('iframe')).contentFrame();
        await frame.waitForFunction(function () {
          return /allow-same-origin/.test(document.getElementById('problem').textContent);
        }, { polling: 50, timeout: 60000 });
        tab.said = [];
      });
      server.close();
    },
    async withoutScripts() {
      await with_tab({}, async function (tab) {
        await tab.page.setJavaScriptEnabled(false);
        await tab.page.goto(kit.server.address);
        await tab.look('without_scripts');
        await tab.page.setJavaScriptEnabled(true);
        const seen = await tab.page.evaluate(function () { return document.querySelector('noscript').textContent; });
        assert.ok(/JavaScript/.test(seen) && /已将其关闭/.test(seen), seen);
        tab.said = tab.said.filter(function (text) { return !/preload/.test(text); });  // what nothing can use here
      });
    },
    // A still picture, and a bar that says how much is here; both go with the first frame.
    async untilTheFirstFrame() {
      const server = await serve(path.resolve(folder), { late: /\.wasm$/ });
      await with_tab({ address: server.address }, async function (tab) {
        await tab.page.goto(server.address);
        const bar = function () { return tab.page.evaluate(function () { return document.getElementById('bar').value; }); };
        await tab.until('half of it', async function () { return await bar() > 0.45; });
        assert.ok(await bar() < 0.55, await bar() + ' of 1');
        assert.ok(await tab.page.evaluate(function () {
          const still = document.querySelector('#start img');
          return still.complete && still.naturalWidth > 0;
        }), 'the still picture');
        await tab.look('until_the_first_frame');
        server.let_go();
        await tab.first();
        assert.strictEqual(await tab.page.$('#start'), null);
      });
      server.close();
    },
    // A context that does not come back is said.
    async contextStaysLost() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        await tab.page.evaluate(function () { canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(); });
        await tab.until('the sentence', async function () { return /graphics card/.test(await problem(tab)); });
        await tab.look('context_lost');
        tab.said = [];
      });
    },
    // Files come in any order, and belong together; a reload has them still, and the address names no folder.
    async filesSurviveAReload() {
      const config = JSON.stringify({ model_type: 'llama', hidden_size: 8, num_attention_heads: 4, num_key_value_heads: 2,
        rope_theta: 500000 });
      const at = 'model.layers.0.self_attn.';
      const weights = safetensors([[at + 'q_proj.weight', [8, 8]], [at + 'k_proj.weight', [4, 8]]]);
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        for (const files of [[['model.safetensors', weights], ['config.json', config]],
                             [['config.json', config], ['model.safetensors', weights]]]) {
          await tab.drop_all(files);
          await tab.until('the config', async function () { return (await tab.scene()).base === 500000; });
          await tab.page.keyboard.press('PageDown');
          await tab.until('its weights', async function () {
            const scene = await tab.scene();
            return scene.content && scene.content.kind === 'checkpoint' && scene.base === 500000;
          });
          await tab.go_to(link({}));
          await tab.rest();
        }
        await tab.drop('wpe.safetensors', safetensors([['wpe.weight', [32, 8]]]));
        await tab.until('the table', async function () { return ((await tab.scene()).encoding || {}).kind === 'learned'; });
        await tab.rest();
        const hash = decodeURIComponent(await tab.hash());
        assert.ok(hash.includes('"wpe.safetensors"') && !hash.includes('/files'), hash);
        const heard = await tab.heard(), own = await tab.page.evaluate(function () { return location.href; });
        for (const address of [own, kit.server.address]) {
          await tab.page.goto('about:blank');
          await tab.go(address);
          await tab.rest();
          assert.strictEqual(await tab.heard(), heard);
          assert.ok(!/allow-files|was not read/.test(await notices(tab)));
        }
        await tab.look('table_after_reload');
        // Elsewhere it is asked for by its name, and completes the picture when it comes.
        await with_tab({}, async function (stranger) {
          await stranger.go(own);
          await stranger.rest();
          assert.notStrictEqual(await stranger.heard(), heard);
          await stranger.look('file_is_missed');
          await stranger.drop('wpe.safetensors', safetensors([['wpe.weight', [32, 8]]]));
          await stranger.until('the same picture', async function () { return await stranger.heard() === heard; });
        });
      });
    },
    // What was trained is there after a reload.
    async resultsSurviveAReload() {
      await with_tab({}, async function (tab) {
        const settings = { length: 8, tested: 16, steps: 20, seeds: 1, layers: 1, heads: 1, encodings: ['rope'] };
        await tab.go(kit.server.address + link({ bench: 'experiment', view: { experiment: settings } }));
        await tab.rest();
        await tab.click('experiment.run');
        await tab.until('results', async function () { return /RoPE \d/.test(await tab.heard()); });
        await tab.rest();
        const heard = await tab.heard();
        await tab.page.reload();
        await tab.first();
        await tab.until('the results', async function () { return await tab.heard() === heard; });
      });
    },
    // Each has its sentence, the second like the first, and what was kept stays.
    async strangeAddresses() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.page.keyboard.press('ArrowRight');
        await tab.until('a step', async function () { return (await tab.scene()).position === 19; });
        const strange = [['#scene=%C0%80', /damaged/], ['#scene=%', /damaged/], ['#lesson=rope/0', /#lesson=rope/], ['#lesson=nonsense', /nonsense/], ['?figure=nonsense', /nonsense/],
          ['#scene=%7B%7D&figure=nonsense', /nonsense/], ['#scene=%7B%22x%22', /damaged/]];
        for (const [end, sentence] of strange) {
          await tab.page.goto('about:blank');
          await tab.go(kit.server.address + end);
          await tab.until('the sentence of ' + end, async function () { return sentence.test(await notices(tab)); });
        }
        await tab.page.goto('about:blank');
        await tab.go(kit.server.address);
        await tab.rest();
        for (const end of ['#scene=%', '#scene=%C0%80', '#scene=%', '#lesson=rope/0']) {
          await notices(tab);
          await tab.go_to(end);
          await tab.until('the sentence of ' + end, async function () {
            return (end === '#lesson=rope/0' ? /#lesson=rope/ : /damaged/).test(await notices(tab));
          });
        }
      });
    },
    // A Mac tells of no key that goes up while Cmd is down.
    async commandKey() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        for (const position of [19, 20, 21]) {
          await tab.page.keyboard.press('ArrowRight');
          await tab.until('a step', async function () { return (await tab.scene()).position === position; });
        }
        const tell = function (kind, key, code, metaKey) {
          return tab.page.evaluate(function (kind, key, code, metaKey) {
            canvas.dispatchEvent(new KeyboardEvent(kind, { key, code, metaKey, bubbles: true, cancelable: true }));
          }, kind, key, code, metaKey);
        };
        for (const position of [20, 19]) {
          await tell('keydown', 'Meta', 'MetaLeft', true);
          await tell('keydown', 'z', 'KeyZ', true);
          await tell('keyup', 'Meta', 'MetaLeft', false);
          await tab.until('undo', async function () { return (await tab.scene()).position === position; });
          await tab.rest();
        }
        await tab.page.keyboard.press('ArrowRight');
        await tab.until('the next key', async function () { return (await tab.scene()).position === 20; });
      });
    },
    // The wheel and a finger over somebody else's figure belong to their page, until the figure is clicked.
    async wheelBelongsToThePageAround() {
      const around = fs.mkdtempSync(path.join(work, 'around-'));
      fs.cpSync(folder, path.join(around, 'page'), { recursive: true });
      fs.writeFileSync(path.join(around, 'index.html'),
        '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body { margin: 0; height: 3000px } iframe { width: 600px; height: 500px; border: 0 }</style>' +
        '<p>Words</p><iframe src="page/?figure=matrix&controls=position"></iframe>');
      const server = await serve(around, { policy: '' });  // it has a style of its own
      await with_tab({ address: server.address, height: 600 }, async function (tab) {
        await tab.page.goto(server.address);
        const frame = await (await tab.page.waitForSelector('iframe')).contentFrame();
        await frame.waitForFunction(function () { return window.posiscope && posiscope.counts.frames > 3; }, { polling: 50, timeout: 120000 });
        const down = function () { return tab.page.evaluate(function () { return Math.round(scrollY); }); };
        assert.ok(await tab.page.evaluate(function () { return document.activeElement === document.body; }), 'the focus stays');
        await tab.page.mouse.move(300, 250);
        await tab.page.mouse.wheel({ deltaY: 200 });
        await tab.until('the page around', async function () { return await down() === 200; });
        await tab.page.keyboard.down('Control');
        await tab.page.mouse.wheel({ deltaY: 200 });
        await tab.page.keyboard.up('Control');
        await tab.page.mouse.click(300, 150);
        await tab.page.mouse.wheel({ deltaY: 200 });
        await new Promise(function (done) { setTimeout(done, 300); });
        assert.strictEqual(await down(), 200, 'then the figure');
      });
      server.close();
    },
    // What a notch or a rounded corner covers has nothing of the page.
    async safeAreas() {
      await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
        const cdp = await tab.page.createCDPSession();
        await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34, left: 0, right: 0 } });
        await tab.go(kit.server.address);
        await tab.rest();
        const box = await tab.page.evaluate(function () {
          const { top, bottom, width } = canvas.getBoundingClientRect();
          return [top, bottom, width];
        });
        assert.deepStrictEqual(box, [47, 844 - 34, 390]);
        await tab.look('safe_areas');
      });
    },
    // One tap on a value opens its field, and the keys of a telephone with it.
    async tapEditsAValue() {
      await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        await tab.tap('≡');  // the menu of the controls
        await tab.rest();
        await tab.tap('position', 0.97, 0.5, -20);  // its value
        const field = await tab.page.evaluate(function () { return [document.activeElement.id, document.activeElement.inputMode]; });
        assert.deepStrictEqual(field, ['typed', 'decimal'], 'at the end of the tap');
        await tab.chord(['Control'], 'a');
        await tab.page.keyboard.type('42');
        await tab.page.keyboard.press('Enter');
        await tab.until('the typed number', async function () { return (await tab.scene()).position === 42; });
      });
    },
    // The figure that a finger turned to, and the bench, are in the address; Back goes to the one before.
    async backGoesToTheBenchBefore() {
      await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
        await tab.go(kit.server.address + link({ position: 20 }));
        await tab.rest();
        const first = await tab.heard();
        await tab.fingers([[[300, 75], [90, 78]]]);
        await tab.until('the next figure', async function () { return await tab.heard() !== first; });
        await tab.rest();
        const second = await tab.heard();
        assert.ok(/&figure=[a-z]+$/.test(await tab.hash()), await tab.hash());
        await tab.page.reload();
        await tab.first();
        await tab.rest();
        assert.strictEqual(await tab.heard(), second, 'after a reload');
        await tab.chord(['Control'], 'ArrowRight');
        await tab.until('another bench', async function () { return !/^(overview)?$/.test((await tab.scene()).bench || ''); });
        await tab.rest();
        await tab.page.goBack();
        await tab.until('the figure', async function () { return await tab.heard() === second; });
        await tab.page.goBack();
        await tab.until('the first', async function () { return await tab.heard() === first; });
      });
    },
    // What a search engine, a chat and a home screen take.
    async head() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        const found = await tab.page.evaluate(function () {
          const of = function (query, name) { return (document.querySelector(query) || {})[name] || ''; };
          return { description: of('meta[name=description]', 'content'), preview: of('meta[property="og:image"]', 'content'),
            icon: of('link[rel=icon]', 'href'), touch: of('link[rel=apple-touch-icon]', 'href'),
            manifest: of('link[rel=manifest]', 'href'), theme: of('meta[name=theme-color]', 'content'),
            ground: getComputedStyle(document.body).backgroundColor, language: document.documentElement.lang,
            landmark: document.querySelectorAll('main').length, heading: of('h1', 'textContent') };
        });
        assert.ok(found.description.length > 80 && found.description.length < 200, found.description);
        assert.deepStrictEqual([found.landmark, found.heading, found.language], [1, 'Posiscope', 'en']);
        const hex = found.ground.match(/\d+/g).map(function (n) { return Number(n).toString(16).padStart(2, '0'); }).join('');
        assert.strictEqual(found.theme, '#' + hex);
        const file = function (url) { return path.join(folder, new URL(url, kit.server.address).pathname); };
        const manifest = JSON.parse(fs.readFileSync(file(found.manifest)));
        for (const one of [found.preview, found.icon, found.touch, ...manifest.icons.map(function (icon) { return icon.src; })])
          assert.ok(fs.statSync(file(one)).size > 500, one);
        const preview = PNG.sync.read(fs.readFileSync(file(found.preview)));
        assert.deepStrictEqual([preview.width, preview.height], [1200, 630]);
        await tab.page.keyboard.press('l');
        await tab.until('the language', function () { return tab.page.evaluate(function () { return document.documentElement.lang === 'zh'; }); });
      });
    },
    // Names hold contents; the second visit needs no server; a new version is never mixed with an old one.
    async offline() {
      for (const name of ['posiscope', 'page'])
        assert.ok(fs.readdirSync(folder).some(function (file) { return new RegExp(`^${name}-[0-9a-f]{10}\\.js$`).test(file); }), name);
      let server = await serve(path.resolve(folder));
      const { address } = server;
      await with_tab({ address, worker: true }, async function (tab) {
        await tab.go(address);
        await tab.until('what is kept', function () {
          return tab.page.evaluate(async function () {
            return !!navigator.serviceWorker.controller && (await (await caches.open('posiscope')).keys()).length > 6;
          });
        });
        server.close();
        await tab.page.goto('about:blank');
        await tab.go(address + link({ position: 30 }));
        await tab.rest();
        await tab.page.keyboard.press('ArrowRight');
        await tab.until('a step', async function () { return (await tab.scene()).position === 31; });
        tab.said = tab.said.filter(function (line) { return !/ERR_CONNECTION|Failed to (load|fetch)/.test(line); });
      });
    },
    // Somebody who does not see it hears the control that has the keyboard, and what it becomes.
    async heardControls() {
      for (const language of ['en', 'zh'])
        await with_tab({ language }, async function (tab) {
          await tab.go(kit.server.address + link({ position: 20 }));
          await tab.rest();
          const focused = async function () {
            const node = (await tab.page.accessibility.snapshot({ interestingOnly: true }));
            const find = function (one) {
              if (one.focused) return one;
              for (const child of one.children || []) {
                const found = find(child);
                if (found) return found;
              }
              return null;
            };
            return find(node) || {};
          };
          const seen = [];
          for (let i = 0; i < 40; ++i) {
            await tab.page.keyboard.press('Tab');
            await tab.rest();
            const { role, name, value, valuetext } = await focused();
            seen.push([role, name, valuetext || value]);
            if (role === 'slider') break;
          }
          if (process.env.LOOK) console.log('    ' + JSON.stringify(seen));
          const [role, name, value] = seen[seen.length - 1];
          assert.strictEqual(role, 'slider');
          assert.ok(seen.every(function (one) { return one[1]; }), 'each has a name: ' + JSON.stringify(seen));
          assert.ok(language === 'zh' ? /[\u4e00-\u9fff]/.test(name) : /^[A-Z]/.test(name), name);
          await tab.look('heard_' + language);
          await tab.page.keyboard.press('ArrowRight');
          await tab.until('its new value', async function () { return (await focused()).valuetext !== value; });
          await tab.page.keyboard.press('Escape');
          await tab.until('the canvas', function () { return tab.page.evaluate(function () { return document.activeElement.id === 'canvas'; }); });
        });
    },
    // The paper has the figures in light colours, whatever the screen has.
    async paper() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        const pdf = path.join(work, 'paper.pdf');
        fs.writeFileSync(pdf, await tab.page.pdf({ landscape: true, printBackground: true }));
        execFileSync('pdftoppm', ['-r', '60', '-png', '-singlefile', pdf, path.join(work, 'paper')]);
        const shot = PNG.sync.read(fs.readFileSync(path.join(work, 'paper.png')));
        if (process.env.LOOK) fs.copyFileSync(path.join(work, 'paper.png'), path.join(process.env.LOOK, 'paper.png'));
        let white = 0;
        const colours = new Set();
        for (let i = 0; i < shot.data.length; i += 4) {
          white += shot.data[i] + shot.data[i + 1] + shot.data[i + 2] === 765 ? 1 : 0;
          colours.add(shot.data.readUInt32BE(i));
        }
        assert.ok(white > 0.3 * shot.data.length / 4, white + ' white pixels');
        assert.ok(colours.size > 100, colours.size + ' colours');
        assert.strictEqual(execFileSync('pdfinfo', [pdf]).toString().match(/Pages:\s+(\d+)/)[1], '1');
        assert.strictEqual(await tab.page.$('#paper'), null, 'it is gone again');
      });
    },
  };
};
