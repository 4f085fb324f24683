// page_test.js PAGE ONE_FILE PROGRAM [NAME...]: the page in a real browser. Everything, or the tests of these names.
'use strict';
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync, spawn } = require('child_process');
const { pathToFileURL } = require('url');
const { isDeepStrictEqual } = require('util');
const zlib = require('zlib');
const { PNG } = require('pngjs');
const { serve, launch, Tab } = require('./browser.js');

const [folder, oneFile, program, ...names] = process.argv.slice(2);  // LOOK: a folder for screenshots
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'posiscope-page-'));

let browser, server;
const rows = function (scene) { return ((scene.view || {}).matrix || {}).rows; };
const link = function (scene) { return '#scene=' + encodeURIComponent(JSON.stringify(scene)); };

// From the slider of the position to 34 of 0 … 63.
async function way(tab) { return [await tab.point('position', 0.1), await tab.point('position', 34 / 63)]; }

async function with_tab(options, act) {
  const tab = await Tab.open(browser, options);
  try {
    await act(tab);
    assert.deepStrictEqual(tab.said, [], 'the console is silent');
    for (const url of tab.requests)
      assert.ok(url.startsWith(options.address || server.address) || /^(blob|data|file):/.test(url), 'asked another origin: ' + url);
  } finally {
    await tab.close();
  }
}

const kit = {
  with_tab, link, work, folder, program,
  get server() { return server; },
};

const tests = {
  ...require('./shell.js')(kit),
  ...require('./outside.js')(kit),
  ...require('./around.js')(kit),
  async overHttp() {
    await with_tab({}, async function (tab) {
      const seconds = await tab.go(server.address);
      await tab.rest();
      const shot = PNG.sync.read(Buffer.from(await tab.page.screenshot()));
      const colours = new Set();
      for (let i = 0; i < shot.data.length; i += 4) colours.add(shot.data.readUInt32BE(i));
      assert.ok(colours.size > 200, 'something is drawn');
      assert.ok(!tab.requests.some(function (url) { return /strings/.test(url); }), 'texts of the other language');
      return console.log(`    first frame after ${seconds.toFixed(2)} s`);
    });
  },
  async fromDisk() {
    await with_tab({}, async function (tab) {
      const seconds = await tab.go(pathToFileURL(oneFile).href);
      await tab.rest();
      assert.ok(tab.requests.every(function (url) { return /^(file|data|blob):/.test(url); }));
      console.log(`    first frame after ${seconds.toFixed(2)} s`);
    });
  },
  async fineScreen() {
    await with_tab({ scale: 2 }, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      const size = await tab.page.evaluate(function () { return [canvas.width, canvas.height]; });
      assert.deepStrictEqual(size, [2560, 1600]);
      await tab.drag(...await way(tab));
      const { position } = await tab.scene();
      assert.ok(position > 25 && position < 45, 'dragged to ' + position);
    });
  },
  async dragByMouse() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.drag(...await way(tab));
      const { position } = await tab.scene();
      assert.ok(position > 25 && position < 45, 'dragged to ' + position);
      await tab.page.keyboard.press('ArrowRight');
      await tab.until('the arrow', async function () { return (await tab.scene()).position === position + 1; });
      await tab.page.keyboard.down('Control');
      await tab.page.keyboard.press('z');
      await tab.page.keyboard.up('Control');
      await tab.until('undo', async function () { return (await tab.scene()).position === position; });
    });
  },
  async dragByTouch() {
    await with_tab({ touch: true }, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      // At once: a finger that rests for half a second asks for the menu.
      const [[x, y], [to]] = await way(tab);
      const finger = await tab.page.touchscreen.touchStart(x, y);
      for (const part of [0.3, 0.7, 1]) await finger.move(x + part * (to - x), y);
      await tab.rest();
      await finger.end();
      await tab.until('the drag', async function () {
        const { position } = await tab.scene();
        return position > 25 && position < 45;
      });
    });
  },
  async typedNumber() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      // Two clicks that a slow frame parted are no double click: then once more. An open field never rests: its caret blinks.
      await tab.until('the field', async function () {
        await tab.page.mouse.click(...await tab.point('position', 0.5, 0.5, -17), { count: 2 });  // its name
        for (let i = 0; i < 40; ++i) {
          if (await tab.types()) return true;
          await new Promise(function (done) { setTimeout(done, 50); });
        }
        return false;
      });
      await tab.page.keyboard.down('Control');
      await tab.page.keyboard.press('a');
      await tab.page.keyboard.up('Control');
      await tab.page.keyboard.type('37');  // while Ctrl may still be down for a slow frame
      await tab.page.keyboard.press('Enter');
      await tab.until('the typed number', async function () { return (await tab.scene()).position === 37; });
    });
  },
  async language() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      assert.ok(!tab.requests.some(function (url) { return url.endsWith('.otf'); }), 'English needs no Chinese font');
      const before = await tab.page.screenshot();
      await tab.page.keyboard.press('l');
      await tab.until('the Chinese font', async function () {
        return tab.requests.some(function (url) { return url.endsWith('.otf'); });
      });
      await tab.rest();
      assert.ok(!Buffer.from(before).equals(Buffer.from(await tab.page.screenshot())));
    });
  },
  async linkInAndOut() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address + link({ position: 33, offset: 5 }));
      await tab.rest();
      await tab.page.keyboard.press('ArrowRight');
      await tab.until('the link in', async function () { return (await tab.scene()).position === 34; });
      assert.strictEqual((await tab.scene()).offset, 5);
      await tab.go_to(link({ position: 50, version: 1 }));
      await tab.rest();
      await tab.page.keyboard.press('ArrowLeft');
      await tab.until('the changed address', async function () { return (await tab.scene()).position === 49; });
    });
  },
  // Scenes as strange as they can be arrive whole: what the page keeps of each is what the desktop reads from its link.
  async linksOfAllScenes() {
    const list = path.join(work, 'links');
    execFileSync(path.join(path.dirname(program), 'test_core'), ['--gtest_filter=Link.EverySceneComesBack'],
      { env: { ...process.env, POSISCOPE_LINKS: list } });
    const all = fs.readFileSync(list, 'utf8').trim().split('\n').map(function (line) { return line.split('\t'); });
    assert.strictEqual(all.length, 200);
    await with_tab({ width: 320, height: 240 }, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      for (const [address, json] of all) {
        const wanted = JSON.parse(json);
        await tab.go_to(address);
        await tab.until('the scene of ' + address, async function () {
          const kept = await tab.page.evaluate(function () { return localStorage['posiscope:/kept/state/session.json']; });
          return kept && isDeepStrictEqual(JSON.parse(kept), wanted);
        });
      }
    });
  },
  async idle() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      await new Promise(function (done) { setTimeout(done, 1500); });
      const before = await tab.frames();
      await new Promise(function (done) { setTimeout(done, 5000); });
      assert.strictEqual(await tab.frames() - before, 0, 'frames while nothing changes');
    });
  },
  async kept() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      await tab.page.keyboard.press('ArrowRight');
      await tab.until('a step', async function () { return (await tab.scene()).position === 19; });
      await tab.page.goto('about:blank');
      await tab.go(server.address);
      await tab.rest();
      await tab.page.keyboard.press('ArrowRight');
      await tab.until('the session', async function () { return (await tab.scene()).position === 20; });
    });
  },
  async downloads() {
    await with_tab({}, async function (tab) {
      const file = await tab.saves_into(fs.mkdtempSync(path.join(work, 'downloads-')));
      await tab.go(server.address + link({ position: 21, length: 64 }));
      await tab.rest();
      await tab.page.keyboard.press('F12');
      const data = JSON.parse(execFileSync(program, ['data', 'frequencies', '-s', await file('.png')]).toString());
      assert.deepStrictEqual([data.scene.position, data.scene.length], [21, 64]);
    });
  },
  // A scene, a picture of the desktop's, and what is neither.
  async dropped() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      await tab.drop('scene.json', '{"position": 25, "length": 100}');
      await tab.until('the scene', async function () { return (await tab.scene()).position === 25; });
      const png = path.join(work, 'dropped.png');
      execFileSync(program, ['render', '-o', png, '--figure', 'matrix', '--size', '320x240', '--set', 'position=61']);
      await tab.drop('dropped.png', fs.readFileSync(png));
      await tab.until('the picture', async function () { return (await tab.scene()).position === 61; });
      await tab.drop('noise.bin', Buffer.from([0, 1, 2, 255]));
      await tab.rest();
      assert.strictEqual((await tab.scene()).position, 61);
    });
  },
  async clipboard() {
    await with_tab({}, async function (tab) {
      await tab.context.overridePermissions(server.address, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
      await tab.go(server.address + link({ position: 17 }));
      await tab.rest();
      await tab.chord(['Control'], 'c');
      await tab.until('the copied scene', async function () {
        const text = await tab.page.evaluate(function () { return navigator.clipboard.readText(); });
        return text.startsWith('{') && JSON.parse(text).position === 17;
      });
      await tab.chord(['Control', 'Shift'], 'L');
      await tab.until('the copied link', async function () {
        const text = await tab.page.evaluate(function () { return navigator.clipboard.readText(); });
        return text.startsWith(server.address) && text.includes('#scene=');
      });
      await tab.page.evaluate(function () { return navigator.clipboard.writeText('{"position": 44}'); });
      await tab.page.keyboard.down('Control');
      await tab.page.keyboard.down('v', { commands: ['paste'] });
      await tab.page.keyboard.up('v');
      await tab.page.keyboard.up('Control');
      await tab.until('the pasted scene', async function () { return (await tab.scene()).position === 44; });
    });
  },
  // The graphics card takes everything back, and the page comes back by itself, as it was.
  async lostContext() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      await tab.page.keyboard.press('ArrowRight');
      await tab.until('a step', async function () { return (await tab.scene()).position === 19; });
      const back = tab.page.waitForNavigation();
      await tab.page.evaluate(function () {
        const lose = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
        lose.loseContext();
        setTimeout(function () { lose.restoreContext(); }, 100);
      });
      await back;
      await tab.first();
      await tab.rest();
      await tab.page.keyboard.press('ArrowRight');
      await tab.until('the page as it was', async function () { return (await tab.scene()).position === 20; });
      tab.said = tab.said.filter(function (line) { return !/CONTEXT_LOST|context lost/i.test(line); });
    });
  },
  // One figure fills a telephone; a finger turns to the next, two enlarge and move it.
  async phone() {
    for (const language of ['en', 'zh'])
      await with_tab({ width: 390, height: 844, scale: 3, touch: true, language }, async function (tab) {
        await tab.go(server.address + link({ length: 128 }));
        await tab.rest();
        await tab.look('phone_' + language);
        const first = await tab.heard();
        assert.strictEqual(first.trim().split('\n').length, 1, 'one figure: ' + first);
        await tab.fingers([[[300, 75], [90, 78]]]);
        await tab.until('the next figure', async function () { return await tab.heard() !== first; });
        await tab.rest();
        await tab.look('phone_next_' + language);
        const second = await tab.heard();
        await tab.fingers([[[90, 75], [300, 78]]]);
        await tab.until('the one before', async function () { return await tab.heard() === first; });
        await tab.fingers([[[300, 75], [90, 78]]]);
        await tab.until('the next again', async function () { return await tab.heard() === second; });
        await tab.rest();
        await tab.fingers([[[180, 400], [180, 300]], [[210, 420], [210, 560]]]);
        await tab.until('enlarged rows', async function () { return rows(await tab.scene()); });
        await tab.rest();
        const enlarged = rows(await tab.scene());
        assert.ok(enlarged[1] - enlarged[0] < 100, 'of 128 rows: ' + enlarged);
        await tab.fingers([[[170, 480], [170, 380]], [[220, 480], [220, 380]]]);
        await tab.until('moved rows', async function () { return rows(await tab.scene())[0] > enlarged[0]; });
        const moved = rows(await tab.scene());
        assert.ok(Math.abs((moved[1] - moved[0]) - (enlarged[1] - enlarged[0])) < 1e-6, 'moved, not enlarged: ' + moved);
      });
  },
  // An input method composes in the field of the words: nothing is taken before it is done, then all of it at once.
  async composedWords() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address + link({ bench: 'attention' }));
      await tab.rest();
      await tab.click('attention.text');
      await tab.until('the field', function () { return tab.types(); });
      await tab.chord(['Control'], 'a');
      const cdp = await tab.page.createCDPSession();
      for (const text of ['g', 'go', 'gou', '\u72d7'])
        await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      const before = JSON.stringify((await tab.scene()).content || {});
      assert.ok(!before.includes('go') && !before.includes('\u72d7'), before);
      await cdp.send('Input.insertText', { text: '\u72d7\u54ac\u4eba' });
      await tab.page.keyboard.press('Enter');
      await tab.until('the words', async function () {
        const { content } = await tab.scene();
        return content && JSON.stringify(content.text).includes('\u72d7') && !JSON.stringify(content.text).includes('go');
      });
    });
  },
  // A small model is trained between two frames, to its end.
  async experiment() {
    await with_tab({}, async function (tab) {
      const settings = { length: 8, tested: 16, steps: 20, seeds: 1, layers: 1, heads: 1, encodings: ['rope'] };
      await tab.go(server.address + link({ bench: 'experiment', view: { experiment: settings } }));
      await tab.rest();
      const before = await tab.heard();
      await tab.click('experiment.run');
      await tab.until('results', async function () { return await tab.heard() !== before; });
      await tab.rest();
      assert.ok(/RoPE \d/.test(await tab.heard()), await tab.heard());
      assert.ok(tab.requests.every(function (url) { return !url.includes('/experiments/'); }), 'nothing that was shipped');
    });
  },
  // The dialog's exports are made in the page: what the command line would write comes down.
  async exportDialog() {
    await with_tab({}, async function (tab) {
      const file = await tab.saves_into(fs.mkdtempSync(path.join(work, 'export-')));
      await tab.go(server.address + link({ position: 9, length: 32, d_model: 16 }));
      await tab.rest();
      const open = async function () {
        await tab.chord(['Shift'], 'E');
        await tab.until('the field', function () { return tab.types(); });
      };
      await tab.page.mouse.move(...await tab.point('tile.matrix'));
      await tab.rest();
      await open();
      await tab.look('export_dialog');
      await tab.page.keyboard.press('Enter');
      const data = JSON.parse(execFileSync(program, ['data', 'frequencies', '-s', await file('.png')]).toString());
      assert.deepStrictEqual([data.scene.position, data.scene.length], [9, 32]);
      // Every other kind: chosen, then the dialog opened anew, whose Enter saves.
      const scene = ['--set', 'position=9', '--set', 'length=32', '--set', 'd_model=16'];
      const made = async function (ending, kind, form) {
        await tab.page.goto('about:blank');
        await tab.go(server.address + link({ position: 9, length: 32, d_model: 16 }));
        await tab.page.mouse.move(...await tab.point('tile.matrix'));
        await tab.rest();
        await open();
        await tab.click(kind);
        await tab.until('the click beside the field', async function () { return !await tab.types(); });
        await tab.rest();
        if (form) await tab.click(form);
        await tab.page.keyboard.press('Escape');
        await tab.rest();
        await tab.page.mouse.move(...await tab.point('tile.matrix'));
        await tab.rest();
        await open();
        await tab.page.keyboard.press('Enter');
        return file(ending);
      };
      const desktop = function (words, ending) {
        const out = path.join(work, 'desktop' + ending);
        execFileSync(program, [...words, ...scene, '--lang', 'en', '-o', out]);
        return out;
      };
      const pdf = await made('.pdf', 'PDF');
      const [, width, height] = /Page size: *([\d.]+) x ([\d.]+)/.exec(execFileSync('pdfinfo', [pdf]).toString());
      const render = ['render', '--figure', 'matrix', '--theme', 'dark', '--dpi', '300', '--size',
        `${Math.round(width / 0.75)}x${Math.round(height / 0.75)}`];
      const text = function (file) { return execFileSync('pdftotext', ['-layout', file, '-']).toString(); };
      assert.strictEqual(text(pdf), text(desktop(render, '.pdf')), 'the words of the PDF');
      const words = function (file) { return Array.from(fs.readFileSync(file, 'utf8').matchAll(/<text[^>]*>([^<]*)</g), one => one[1]).join('\n'); };
      assert.strictEqual(words(await made('.svg', 'SVG')), words(desktop(render, '.svg')), 'the words of the SVG');
      const rows = function (file) {
        return fs.readFileSync(file, 'utf8').split('\n').filter(function (line) { return !line.startsWith('#'); });
      };
      const csv = rows(await made('.csv', 'Data')), own = rows(desktop(['data', 'table'], '.csv'));
      assert.strictEqual(csv.length, own.length);
      csv.forEach(function (row, i) {
        const numbers = row.split(','), wanted = own[i].split(',');
        assert.strictEqual(numbers.length, wanted.length);
        assert.deepStrictEqual(numbers, wanted, 'row ' + i);
      });
      // The same numbers in the other forms, read back by the program and by JSON's own reader.
      const read = JSON.parse(fs.readFileSync(await made('.json', 'Data', 'JSON'), 'utf8'));
      assert.strictEqual(read.scene.position, 9);
      assert.deepStrictEqual(read.table.map(function (row) { return row.map(Number); }),
        JSON.parse(fs.readFileSync(desktop(['data', 'table'], '.json'), 'utf8')).table);
      const npy = await made('.npy', 'Data', 'NPY');
      assert.ok(fs.readFileSync(npy).equals(fs.readFileSync(desktop(['data', 'table'], '.npy'))), 'NPY, byte by byte');
      assert.ok(/^Right: every number/m.test(execFileSync(program, ['check', npy, '--lang', 'en']).toString()), 'the program knows the table');
      assert.strictEqual(fs.readFileSync(await made('.py', 'Code'), 'utf8'),
        fs.readFileSync(desktop(['code', 'numpy'], '.py'), 'utf8'), 'code');
    });
  },
  // What stands below the figure is longer than its place, and two fingers scroll it.
  async phoneSheet() {
    await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
      await tab.go(server.address + link({}));
      await tab.rest();
      await tab.tap('≡');
      await tab.rest();
      await tab.look('sheet');
      const clip = { x: 0, y: 460, width: 390, height: 320 };
      const before = Buffer.from(await tab.page.screenshot({ clip }));
      const scene = await tab.hash();
      await tab.fingers([[[150, 700], [150, 560]], [[200, 700], [200, 560]]]);
      await tab.until('the lower controls', async function () {
        return !before.equals(Buffer.from(await tab.page.screenshot({ clip })));
      });
      await tab.rest();
      await tab.look('sheet_scrolled');
      assert.strictEqual(await tab.hash(), scene, 'nothing was dragged');
    });
  },
  // Less motion: what plays goes from whole position to whole position, a frame each, and nothing else moves.
  async lessMotion() {
    await with_tab({ still: true }, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      await tab.page.keyboard.press('Space');
      const before = await tab.frames();
      const began = Date.now();
      await tab.until('what plays', async function () { return await tab.frames() > before + 5; });
      await new Promise(function (done) { setTimeout(done, 2000); });
      const frames = await tab.frames() - before, seconds = (Date.now() - began) / 1000;
      assert.ok(frames <= 12 * seconds + 12, frames + ' frames in ' + seconds + ' s');
      await tab.page.keyboard.press('Space');
      await tab.rest();
    });
  },
  // The figures that shaders draw, by the rasteriser that the program draws with: pixel by pixel.
  async pixels() {
    const exact = await launch(true);
    try {
      for (const figure of ['matrix', 'rotations']) {
        const tab = await Tab.open(exact, { width: 900, height: 600 });
        await tab.go(`${server.address}?figure=${figure}&lang=en` + link({ position: 40, length: 96, d_model: 64 }));
        await tab.rest();
        const page = PNG.sync.read(Buffer.from(await tab.page.screenshot()));
        await tab.close();
        const out = path.join(work, figure + '.png');
        execFileSync(program, ['render', '-o', out, '--figure', figure, '--size', '900x600', '--theme', 'dark',
          '--set', 'position=40', '--set', 'length=96', '--set', 'd_model=64', '--lang', 'en']);
        const own = PNG.sync.read(fs.readFileSync(out));
        let differing = 0, sum = 0, most = 0;
        for (let i = 0; i < own.data.length; i += 4) {
          const apart = Math.max(...[0, 1, 2].map(function (c) { return Math.abs(own.data[i + c] - page.data[i + c]); }));
          differing += apart > 0 ? 1 : 0;
          sum += apart;
          most = Math.max(most, apart);
        }
        const share = differing / (own.data.length / 4);
        console.log(`    ${figure}: ${differing} pixels differ (${(100 * share).toFixed(3)} %), by at most ${most} of 255`);
        // The cells and clocks are equal. Edges of letters and lines may round to the next level.
        assert.ok(share < 0.0005 && most <= 2, 'more than what rounding moves');
      }
    } finally {
      await exact.close();
    }
  },
  // Small form: the controls of other people's pages.
  async smallForm() {
    await with_tab({ width: 700, height: 500 }, async function (tab) {
      await tab.go(`${server.address}?figure=matrix&controls=position,offset` + link({ position: 12 }));
      await tab.rest();
      const values = await tab.page.evaluate(function () {
        return [...document.querySelectorAll('#strip output')].map(function (one) { return one.textContent; });
      });
      assert.deepStrictEqual(values, ['12', '3']);
      await tab.page.evaluate(function () {
        const slider = document.querySelector('#strip input');
        slider.value = 20;
        slider.dispatchEvent(new Event('input'));
      });
      await tab.until('the slider', async function () {
        return '20' === await tab.page.evaluate(function () { return document.querySelector('#strip output').textContent; });
      });
    });
  },
  // A notebook's frame: the package serves the page, and the arrays that it shows, and the page keeps nothing.
  async notebook() {
    const python = spawn('/usr/bin/python3', ['-c', `
import sys, types, posiscope
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace())
import numpy as np
q = np.zeros((1, 5, 8)); k = np.zeros((1, 5, 8))
q[0, 4, 3] = k[0, 2, 3] = 9  # by the slowest pair the last looks at the third
frame = posiscope.show(q, k, tokens=["wolf", "bites", "man", "at", "dawn"], config={"model_type": "llama", "hidden_size": 8,
    "num_attention_heads": 1, "rope_theta": 1e6, "max_position_embeddings": 64})
print(frame.address, flush=True); sys.stdin.read()`], { stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, POSISCOPE: path.resolve(program), POSISCOPE_PAGE: path.resolve(folder), PYTHONPATH: path.resolve('app/python') } });
    try {
      const address = await new Promise(function (resolve, reject) {
        python.stdout.once('data', function (bytes) { resolve(String(bytes).trim()); });
        python.once('exit', function () { reject(new Error('Python ended')); });
      });
      await with_tab({ address: address.split('?')[0] }, async function (tab) {
        for (const visit of ['first', 'again']) {
          if (visit === 'first') await tab.go(address);
          else await tab.page.reload();
          await tab.first();
          await tab.rest();
          const heard = await tab.heard();
          // The last row's distance is 2, those of the rows before it 0, 1/2, 1 and 3/2.
          assert.ok(/rows 0 to 4, a query looks 1\.00 positions away/.test(heard), heard);
        }
        assert.strictEqual(await tab.last_notice(), '');
        assert.strictEqual(await tab.page.evaluate(function () { return localStorage.length; }), 0, 'nothing is kept');
        await tab.look('notebook');
      });
      // Arrays that are gone are said, in the page's own words.
      const gone = await Tab.open(browser, {});
      await gone.page.goto(address.replace('given=', 'given=none.npy,'));
      await gone.until('the sentence', function () {
        return gone.page.evaluate(function () { return /none\.npy \(404\)/.test(document.getElementById('problem').textContent); });
      });
      await gone.close();
    } finally {
      python.stdin.end();
    }
  },
  // What is heard: the headline of every figure.
  async described() {
    await with_tab({}, async function (tab) {
      await tab.go(server.address);
      await tab.rest();
      const text = await tab.page.evaluate(function () { return document.getElementById('description').textContent; });
      assert.ok(text.split('\n').length > 3 && text.includes('10'), text);
    });
  },
  async sizes() {
    let sum = 0;
    // What the first picture needs lies in no folder; the images around it and the service worker are no part of it.
    const files = fs.readdirSync(folder, { withFileTypes: true });
    for (const { name } of files.filter(function (one) { return one.isFile() && /\.(html|js|css|wasm)$/.test(one.name); })) {
      const bytes = zlib.brotliCompressSync(fs.readFileSync(path.join(folder, name)),
        { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
      console.log(`    ${name}: ${fs.statSync(path.join(folder, name)).size} bytes, brotli ${bytes}`);
      sum += bytes;
    }
    const one = fs.statSync(oneFile).size;
    console.log(`    first picture: ${sum} bytes; one file: ${one} bytes`);
    assert.ok(sum <= 1.65 * 1024 * 1024, 'the first picture is at most 1.65 MiB');
    assert.ok(one <= 7 * 1024 * 1024, 'the one file is at most 7 MiB');
  },
};

async function main() {
  server = await serve(path.resolve(folder));
  browser = await launch(false);
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (names.length > 0 && !names.includes(name)) continue;
    // One that passes when it is tried again is unsteady: a fault of its own, which is said.
    for (const attempt of ['first', 'last']) {
      const began = Date.now();
      try {
        await test();
        console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${attempt === 'last' ? ', UNSTEADY' : ''}`);
        break;
      } catch (error) {
        if (attempt === 'last') ++failed;
        console.log(`${attempt === 'last' ? 'FAILED' : 'again '}  ${name}: ${error.stack}`);
      }
    }
  }
  await browser.close();
  server.close();
  fs.rmSync(work, { recursive: true });
  process.exit(failed === 0 ? 0 : 1);
}

main();
