// outside.js — what others hand to the page, and what it may take: hostile links, a strict server, the gallery, memory.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { execFileSync, spawnSync } = require('child_process');
const { serve } = require('./browser.js');

// An array of 32-bit numbers as numpy saves it.
function npy(shape, value) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n';
  const numbers = new Float32Array(shape[0] * shape[1]).map(function (zero, i) { return value(Math.floor(i / shape[1]), i % shape[1]); });
  return Buffer.concat([Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]), Buffer.from(header), Buffer.from(numbers.buffer)]);
}

const kHeap = 64 * 1024 * 1024;

module.exports = function (kit) {
  const { with_tab, link, work, folder, program } = kit;
  const gallery = path.join(__dirname, '../../assets/gallery');
  const heap = function (tab) { return tab.page.evaluate(function () { return Module.HEAPU8.length; }); };
  // The sentence with which the desktop refuses a scene; empty where it takes it.
  const refusal = function (file) {
    const run = spawnSync(program, ['code', 'latex', '--lang', 'en', '-s', file], { encoding: 'utf8' });
    return run.status === 0 || /cannot be copied|no formula (to copy|says)/.test(run.stderr) ? '' : run.stderr.trim();
  };

  return {
    // What the fuzzers begin with, as links: whatever it is, the page goes on, and a refusal has the desktop's sentence.
    async linksOfTheFuzzer() {
      execFileSync('python3', [path.join(__dirname, '../fuzz/seeds.py'), path.join(work, 'seeds')]);
      const scenes = path.join(work, 'seeds/scene');
      await with_tab({ width: 320, height: 240 }, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        const names = fs.readdirSync(scenes).sort();
        let refused = 0;
        for (const name of names) {
          const bytes = fs.readFileSync(path.join(scenes, name));
          const hash = '#scene=' + bytes.reduce(function (text, byte) { return text + '%' + byte.toString(16).padStart(2, '0'); }, '');
          const before = await tab.frames();
          await tab.go_to(hash);
          await tab.until('a frame after ' + name, async function () { return await tab.frames() > before; });
          const sentence = refused < 12 && bytes.length > 0 ? refusal(path.join(scenes, name)) : '';
          if (sentence === '') continue;
          ++refused;
          await tab.until(`the sentence of ${name}: ${sentence}`, async function () {
            const said = await tab.last_notice();
            return said !== '' && sentence.includes(said);
          });
        }
        console.log(`    ${names.length} links, the sentences of ${refused}`);
        assert.strictEqual(refused, 12);
        await tab.go_to(link({ position: 50 }));
        await tab.rest();
        await tab.page.keyboard.press('ArrowRight');
        await tab.until('the page goes on', async function () { return (await tab.scene()).position === 51; });
      });
    },
    async hostileLinks() {
      await with_tab({}, async function (tab) {
        for (const [hash, sentence] of [
          ['#scene=', /./], ['#scene=%7B', /./], ['#scene=%zz', /./], ['#scene=%7B%22version%22:99%7D', /newer/],
          ['#scene=' + encodeURIComponent('{"d_model": 1e99}'), /d_model/],
          ['#scene=' + encodeURIComponent('['.repeat(5000)), /./],
          [link({ encoding: { kind: 'learned', table: '/etc/passwd' } }), /^$/],  // a question, and a sentence in each figure
          [link({ nonsense: '<script>alert(1)</script>' }), /nonsense/]]) {
          await tab.page.goto('about:blank');
          await tab.go(kit.server.address + hash);
          await tab.until('the sentence of ' + hash.slice(0, 60), async function () { return sentence.test(await tab.last_notice()); });
          if (process.env.LOOK) console.log(`    ${hash.slice(0, 60)}: ${await tab.last_notice()}`);
          await tab.page.keyboard.press('ArrowRight');
          await tab.until('a page after ' + hash.slice(0, 60), async function () {
            return Number.isInteger((await tab.scene()).position);
          });
        }
      });
    },
    // Every test of this folder runs under a policy without unsafe-inline; here it is seen to hold.
    async strictPolicy() {
      await with_tab({}, async function (tab) {
        const answer = await tab.page.goto(kit.server.address);
        const policy = answer.headers()['content-security-policy'];
        assert.ok(/script-src 'self' 'wasm-unsafe-eval';/.test(policy) && !policy.includes('unsafe-inline'), policy);
        await tab.first();
        await tab.rest();
        assert.deepStrictEqual(tab.said, [], 'nothing of the page is refused');
        const ran = await tab.page.evaluate(function () {
          const script = document.createElement('script');
          script.textContent = 'window.inlineRan = true';
          document.body.append(script);
          return window.inlineRan === true;
        });
        assert.ok(!ran, 'an inline script runs');
        await tab.until('the refusal', async function () { return tab.said.length > 0; });
        assert.ok(tab.said.every(function (line) { return line.includes('Content Security Policy'); }), tab.said.join('\n'));
        tab.said = [];
      });
    },
    // Each picture of the gallery comes alive when it is clicked: it draws, speaks, and its slider moves it.
    async galleryComesAlive() {
      const out = path.join(work, 'gallery');
      execFileSync('python3', [path.join(__dirname, '../../app/web/gallery.py'), gallery, folder, out]);
      const server = await serve(out);
      try {
        await with_tab({ address: server.address, height: 1000 }, async function (tab) {
          await tab.page.goto(server.address);
          const scenes = fs.readdirSync(gallery).filter(function (name) { return name.endsWith('.json'); });
          assert.strictEqual((await tab.page.$$('.scene button')).length, scenes.length);
          for (const name of scenes) {
            await tab.page.click('.scene button');  // the first that is left
            const frame = await (await tab.page.waitForSelector('.scene iframe')).contentFrame();
            await frame.waitForFunction(function () { return window.posiscope && posiscope.counts.frames > 0; },
              { polling: 50, timeout: 120000 });
            await frame.waitForFunction(function () { return document.getElementById('description').textContent !== ''; },
              { polling: 50, timeout: 120000 });
            const moved = await frame.evaluate(function () {
              const slider = document.querySelector('#strip input');
              slider.value = Number(slider.value) + 1;
              slider.dispatchEvent(new Event('input'));
              return slider.value;
            });
            await frame.waitForFunction(function (moved) {
              return document.querySelector('#strip output').textContent === moved;
            }, { polling: 50, timeout: 120000 }, moved);
            await tab.look('gallery_' + path.parse(name).name);
            await tab.page.evaluate(function () { document.querySelector('.scene iframe').remove(); });
          }
        });
      } finally {
        server.close();
      }
    },
    // A table that a model wrote, dropped with its config, is measured; in one whose base is another, that is said.
    async measuredDump() {
      const config = JSON.stringify({ model_type: 'llama', hidden_size: 64, num_attention_heads: 2, num_key_value_heads: 2, rope_theta: 10000,
        max_position_embeddings: 64 });
      const cosines = function (base) {
        return npy([64, 32], function (row, column) { return Math.cos(row * Math.pow(base, -(column % 16) / 16)); });
      };
      for (const language of ['en', 'zh'])
        await with_tab({ language }, async function (tab) {
          await tab.go(kit.server.address);
          await tab.rest();
          await tab.drop('config.json', config);
          await tab.until('the config', async function () { return (await tab.scene()).d_model === 64; });
          await tab.rest();
          let before = '';
          for (const [name, base, sentence] of [['right', 10000, { en: /As the settings say, in every number/, zh: /每个数都与设置一致/ }], ['wrong', 11000, { en: /difference/, zh: /处不同/ }]]) {
            await tab.drop(name + '.npy', cosines(base));
            await tab.until('the bench', async function () { return (await tab.scene()).bench === 'measured' && await tab.heard() !== before; });
            await tab.rest();
            before = await tab.heard();
            console.log(`    ${name}: ${before.split('\n').join(' | ')}`);
            await tab.look(`measured_${language}_${name}`);
            assert.ok(sentence[language].test(before), before);
          }
        });
    },
    // Every page of the book fits a small telephone, and no word of a heading is broken.
    async bookOnATelephone() {
      const out = path.join(work, 'book');
      execFileSync('python3', [path.join(__dirname, '../../app/web/book.py'), program, out, folder],
        { env: { ...process.env, BOOK_PICTURES: 'no' }, stdio: 'ignore' });
      const server = await serve(out, { policy: '' });
      await with_tab({ address: server.address, width: 360, height: 640, touch: true }, async function (tab) {
        for (const language of ['en', 'zh'])
          for (const name of fs.readdirSync(path.join(out, language)).filter(function (one) { return one.endsWith('.html'); })) {
            await tab.page.goto(server.address + language + '/' + name, { waitUntil: 'domcontentloaded' });
            const { wide, broken } = await tab.page.evaluate(function () {
              const broken = [], range = document.createRange();
              for (const heading of document.querySelectorAll('h1, h2, h3, legend')) {
                const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
                while (texts.nextNode())
                  for (const word of texts.currentNode.data.matchAll(/\w+/g)) {
                    range.setStart(texts.currentNode, word.index);
                    range.setEnd(texts.currentNode, word.index + word[0].length);
                    if (new Set([...range.getClientRects()].map(function (box) { return Math.round(box.top); })).size > 1) broken.push(word[0]);
                  }
              }
              return { wide: document.scrollingElement.scrollWidth, broken };
            });
            assert.ok(wide <= 360 && broken.length === 0, `${language}/${name}: ${wide} wide, broken: ${broken}`);
          }
        tab.said = tab.said.filter(function (line) { return !/404/.test(line); });  // pictures, which are drawn elsewhere
      });
      server.close();
    },
    // The heap never grows beyond its beginning: every bench, every scene of the gallery, a picture and numbers.
    async memory() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        const scenes = fs.readdirSync(gallery).filter(function (name) { return name.endsWith('.json'); })
          .map(function (name) { return JSON.parse(fs.readFileSync(path.join(gallery, name))); });
        for (const bench of ['shift', 'attention', 'context', 'experiment', 'debug', 'overview']) scenes.push({ bench });
        for (const scene of scenes) {
          await tab.go_to(link({ ...scene, version: scene.version || 1 }));
          await tab.rest();
        }
        const size = await heap(tab);
        console.log(`    ${size / 1024 / 1024} MiB of heap after ${scenes.length} scenes`);
        assert.ok(size <= kHeap, size + ' bytes');
      });
    },
    // A figure, not a limit: what a drag takes of the main thread's processor, all that the browser does there included. The
    // rest of a frame is drawing, in another process.
    async dragFigures() {
      for (const d_model of [8, 512])
        await with_tab({}, async function (tab) {
          await tab.go(kit.server.address + link({ d_model, num_heads: 1, pair: 0 }));
          await tab.rest();
          const cdp = await tab.page.createCDPSession();
          await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
          const busy = async function () {
            const { metrics } = await cdp.send('Performance.getMetrics');
            return 1000 * metrics.find(function (one) { return one.name === 'TaskDuration'; }).value;
          };
          const mouse = tab.page.mouse;
          const [x, y] = await tab.point('position', 0.1);
          await mouse.move(x, y);
          await tab.rest();
          const before = { frames: await tab.frames(), busy: await busy() };
          await mouse.down();
          for (let i = 0; i < 30; ++i) await mouse.move(x + 4 * i, y);
          await mouse.up();
          await tab.rest();
          const frames = await tab.frames() - before.frames, spent = await busy() - before.busy;
          assert.ok(frames > 10, frames + ' frames');
          console.log(`    d_model ${d_model}: ${frames} frames, ${(spent / frames).toFixed(2)} ms of the main thread each`);
        });
    },
  };
};
