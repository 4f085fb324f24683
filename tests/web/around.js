// around.js — the page among other pages: its addresses and the browser's Back, other tabs, a network that fails, the pages
// that frame it, who hears a lesson, and one finger.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { serve } = require('./browser.js');

module.exports = function (kit) {
  const { with_tab, link, work, folder } = kit;
  const lesson = function (tab) {
    return tab.page.evaluate(function () {
      const section = document.getElementById('lesson');
      return section.hidden ? null : [...section.querySelectorAll('h2, p, li')]
        .filter(function (one) { return !one.hidden && !one.closest('[hidden]'); }).map(function (one) { return one.textContent; });
    });
  };
  const go_to = function (tab, hash) { return tab.page.evaluate(function (hash) { location.hash = hash; }, hash); };
  const progress = function (tab) {
    return tab.page.evaluate(function () { return JSON.parse(localStorage['posiscope:/kept/state/lessons.json'] || '{"lessons":{}}').lessons; });
  };

  return {
    // A step of a lesson is in the address, and a reload, a link and the browser's Back lead there.
    async lessonAddresses() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address + '#lesson=clocks/3');
        await tab.rest();
        assert.ok(/ 3 \/ \d+$/.test((await lesson(tab))[0]), String(await lesson(tab)));
        assert.strictEqual(await tab.hash(), '#lesson=clocks/3');
        const third = await lesson(tab);
        await tab.look('lesson_address');
        await tab.page.reload();
        await tab.first();
        await tab.rest();
        assert.deepStrictEqual(await lesson(tab), third, 'after a reload');
        await go_to(tab, '#lesson=rope/2');
        await tab.until('another lesson', async function () { return !(await lesson(tab) || third).includes(third[0]); });
        await tab.rest();
        assert.strictEqual(await tab.hash(), '#lesson=rope/2');
        await go_to(tab, '#lesson=nonsense/2');
        await tab.until('the sentence', async function () { return /nonsense/.test(await tab.last_notice()); });
        await tab.rest();
        await go_to(tab, link({ position: 30 }));
        await tab.until('no lesson', async function () { return await lesson(tab) === null; });
        await tab.rest();
        await tab.page.goBack();
        await tab.page.goBack();
        await tab.until('the lesson again', async function () { return (await lesson(tab) || [''])[0].includes('2 /'); });
        await tab.page.goBack();
        await tab.until('the first', async function () { return (await lesson(tab) || [''])[0] === third[0]; });
      });
    },
    // Bench, figure and language go back one by one, to the entry that had no link.
    async historyGoesBackOneByOne() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address);
        await tab.rest();
        const language = function () { return tab.page.evaluate(function () { return document.documentElement.lang; }); };
        const state = async function () {
          return JSON.stringify([await tab.heard(), await language()]);
        };
        assert.strictEqual(await tab.hash(), '', 'the address stays as it was');
        const acts = [
          function () { return tab.chord(['Control'], 'ArrowRight'); },
          function () { return tab.page.keyboard.press('l'); },
          function () { return tab.page.keyboard.press('2'); },
          function () { return tab.chord(['Control'], 'ArrowRight'); },
        ];
        const seen = [await state()];
        let length = await tab.page.evaluate(function () { return history.length; });
        for (const act of acts) {
          await act();
          await tab.until('another place ' + seen.length, async function () {
            return await tab.page.evaluate(function () { return history.length; }) > length && await state() !== seen[seen.length - 1];
          });
          await tab.rest();
          length = await tab.page.evaluate(function () { return history.length; });
          seen.push(await state());
        }
        for (let i = seen.length - 2; i >= 0; --i) {
          await tab.page.goBack();
          await tab.until('the place before, ' + i, async function () { return await state() === seen[i]; });
          await tab.rest();
          assert.strictEqual(await tab.page.evaluate(function () { return history.length; }), length, 'Back makes no entry');
        }
        assert.strictEqual(await tab.hash(), '', 'the entry without a link');
        await tab.page.goForward();
        await tab.until('forward', async function () { return await state() === seen[1]; });
      });
    },
    // A hundred random walks among places: Back and Forward show what was there.
    async randomHistories() {
      await with_tab({ width: 640, height: 480 }, async function (tab) {
        await tab.go(kit.server.address + '#lesson=clocks/1');
        await tab.rest();
        const places = ['#lesson=clocks/2', '#lesson=rope/1', '#lesson=shift/2', link({ position: 5 }), link({ bench: 'shift' }),
          link({ bench: 'attention', position: 9 })];
        let seed = 7;
        const chance = function (n) { return (seed = (seed * 1103515245 + 12345) % 2147483648) % n; };
        const canonical = async function () { await tab.rest(); return tab.hash(); };
        const stack = [await canonical()];
        let at = 0;
        for (let i = 0; i < 100; ++i) {
          const what = chance(3);
          if (what === 0 && at > 0) {
            await tab.page.goBack();
            --at;
          } else if (what === 1 && at + 1 < stack.length) {
            await tab.page.goForward();
            ++at;
          } else {
            await go_to(tab, places[chance(places.length)]);
            const now = await canonical();
            if (now !== stack[at]) {
              stack.splice(at + 1);
              stack.push(now);
              ++at;
            }
            continue;
          }
          assert.strictEqual(await canonical(), stack[at], 'walk ' + i);
          assert.strictEqual(await lesson(tab) !== null, stack[at].startsWith('#lesson='), 'walk ' + i + ' at ' + stack[at]);
        }
      });
    },
    // What is done in one tab, or in the book, is not undone by another.
    async tabsShareProgress() {
      await with_tab({}, async function (tab) {
        await tab.go(kit.server.address + '#lesson=clocks/3');
        await tab.rest();
        const other = await tab.context.newPage();
        await other.goto(kit.server.address + 'icon.svg');
        await other.evaluate(function () {
          const place = 'posiscope:/kept/state/lessons.json', all = JSON.parse(localStorage[place] || '{"version":1,"lessons":{}}');
          all.lessons.why = { ...all.lessons.why, chosen: { done: true, answer: 0 } };
          all.lessons.rope = { turn: { done: true } };
          localStorage[place] = JSON.stringify(all);
        });
        await tab.page.bringToFront();
        await go_to(tab, '#lesson=shift/2');  // which writes where the learner is
        await tab.until('the place', async function () {
          return tab.page.evaluate(function () { return /"shift"/.test(localStorage['posiscope:/kept/state/lessons.json'] || ''); });
        });
        await tab.rest();
        const all = await progress(tab);
        assert.ok(all.rope && all.rope.turn.done && all.why.chosen.done, JSON.stringify(all));
      });
    },
    // A late file that fails is told as what it is, asked for again, and kept once it is there.
    async lateFiles() {
      let lacking = true;
      const lacks = { test: function (name) { return lacking && /zh-|results|vector/.test(name); } };
      const server = await serve(path.resolve(folder), { lacks });
      await with_tab({ address: server.address }, async function (tab) {
        await tab.go(server.address);
        await tab.rest();
        await tab.page.keyboard.press('l');
        await tab.until('the sentence', async function () { return /other language/.test(await tab.last_notice()); });
        lacking = false;
        await tab.until('the other language', function () { return tab.page.evaluate(function () { return document.documentElement.lang === 'zh'; }); });
        await tab.page.keyboard.press('l');
        await tab.until('English again', function () { return tab.page.evaluate(function () { return document.documentElement.lang === 'en'; }); });
        lacking = true;
        await tab.page.evaluate(function () { posiscope.writeVector('{}', 'x.pdf'); });
        await tab.until('the sentence of the PDF', async function () { return /x\.pdf was not written: .*could not be fetched/.test(await tab.last_notice()); });
        tab.said = tab.said.filter(function (line) { return !/404|Posiscope: vector/.test(line); });
      });
      server.close();
    },
    // What was fetched late is there without a network.
    async lateFilesAreKept() {
      let server = await serve(path.resolve(folder));
      const { address } = server;
      await with_tab({ address, worker: true, language: 'zh' }, async function (tab) {
        await tab.go(address);
        await tab.until('what is kept', function () {
          return tab.page.evaluate(async function () {
            const all = await (await caches.open('posiscope')).keys();
            return !!navigator.serviceWorker.controller && ['chinese', 'zh'].every(function (name) {
              return all.some(function (one) { return one.url.includes(name + '-'); });
            });
          });
        });
        server.close();
        await tab.page.goto('about:blank');
        await tab.go(address);
        await tab.rest();
        assert.strictEqual(await tab.page.evaluate(function () { return document.documentElement.lang; }), 'zh');
        tab.said = tab.said.filter(function (line) { return !/ERR_CONNECTION|Failed to (load|fetch)/.test(line); });
      });
    },
    // The step that is on stands beside the canvas: in both languages, each of every lesson.
    async lessonsAreHeard() {
      for (const language of ['en', 'zh'])
        await with_tab({ language, width: 640, height: 480 }, async function (tab) {
          await tab.go(kit.server.address);
          await tab.rest();
          let steps = 0, choices = 0;
          const lessons = fs.readdirSync(path.join(__dirname, '../../assets/lessons')).filter(function (name) { return name.endsWith('.json'); });
          for (const name of lessons) {
            const { id, steps: all } = JSON.parse(fs.readFileSync(path.join(__dirname, '../../assets/lessons', name)));
            for (let i = 1; i <= all.length; ++i) {
              await go_to(tab, `#lesson=${id}/${i}`);
              await tab.until(`${id}/${i}`, async function () {
                const heard = await lesson(tab);
                return heard && heard[0].endsWith(`${i} / ${all.length}`) && await tab.hash() === `#lesson=${id}/${i}`;
              });
              const heard = await lesson(tab), text = heard.join(' ');
              assert.ok(heard[1].length > 5 || all[i - 1].results, text);
              assert.ok(!/[{}\\]/.test(text), text);
              if (language === 'zh') assert.ok(/[\u4e00-\u9fff]/.test(text), text);
              ++steps;
              if (all[i - 1].ask && all[i - 1].ask.choices) {
                choices += all[i - 1].ask.choices.length;
                assert.ok(heard.length >= 2 + all[i - 1].ask.choices.length, text);
              }
            }
          }
          console.log(`    ${language}: ${steps} steps, ${choices} choices`);
          await go_to(tab, '#lesson=clocks/3');
          await tab.rest();
          const tree = await tab.page.accessibility.snapshot({ interestingOnly: false });
          const lines = [], walk = function (one, depth) {
            if (one.role !== 'InlineTextBox' && one.role !== 'none' && one.name) lines.push(' '.repeat(depth) + one.role + ' ' + one.name);
            for (const child of one.children || []) walk(child, depth + 1);
          };
          walk(tree, 0);
          if (process.env.LOOK) fs.writeFileSync(path.join(process.env.LOOK, `accessibility_${language}.txt`), lines.join('\n') + '\n');
          assert.ok(lines.some(function (line) { return /heading/.test(line); }), lines.join('\n'));
        });
    },
    // Every value of a scene that people ask for has its control; a name that is none is said; widths step by what is valid.
    async embedding() {
      const around = fs.mkdtempSync(path.join(work, 'embeds-'));
      fs.cpSync(folder, path.join(around, 'page'), { recursive: true });
      const keys = 'position,base,encoding,length,pair,head,d_model,num_heads,nonsense';
      fs.writeFileSync(path.join(around, 'index.html'),
        '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body { margin: 0 } iframe { width: 600px; height: 300px; border: 0 }</style>' +
        `<iframe src="page/?figure=matrix&theme=light&controls=${keys}${link({ num_heads: 4, d_model: 64 }).replace(/"/g, '%22')}"></iframe>` +
        "<script>addEventListener('message', function (e) { if (e.data.posiscope === 'height') document.querySelector('iframe').style.height = (window.tall = e.data.height) + 'px'; });</script>");
      const server = await serve(around, { policy: '' });
      await with_tab({ address: server.address, height: 900 }, async function (tab) {
        await tab.page.goto(server.address);
        const frame = await (await tab.page.waitForSelector('iframe')).contentFrame();
        await frame.waitForFunction(function () { return window.posiscope && posiscope.counts.frames > 3; }, { polling: 50, timeout: 120000 });
        const found = await frame.evaluate(function () {
          return { controls: [...document.querySelectorAll('#strip input, #strip select')].length,
            said: document.querySelector('#strip p').textContent, light: document.body.classList.contains('light') };
        });
        assert.deepStrictEqual([found.controls, found.light], [8, true]);
        assert.ok(/nonsense/.test(found.said), found.said);
        await tab.until('the height', function () { return tab.page.evaluate(function () { return window.tall > 400; }); });
        const set = function (i, value) {
          return frame.evaluate(function (i, value) {
            const one = document.querySelectorAll('#strip input, #strip select')[i];
            one.value = value;
            one.dispatchEvent(new Event('input'));
          }, i, value);
        };
        const shown = function (i) { return frame.evaluate(function (i) { return document.querySelectorAll('#strip input, #strip select')[i].value; }, i); };
        const width = await frame.evaluate(function () {
          const one = document.querySelectorAll('#strip input')[5];
          one.stepUp();
          one.dispatchEvent(new Event('input'));
          return one.value;
        });
        await tab.until('the width', async function () { return (await frame.evaluate(function () { return document.querySelectorAll('#strip output')[5].textContent; })) === width; });
        await set(2, 'rope');
        await set(1, 300);  // of 100 for a power of ten
        await tab.until('base', async function () { return (await frame.evaluate(function () { return document.querySelectorAll('#strip output')[1].textContent; })) === '1000'; });
        assert.strictEqual(await shown(2), 'rope');
        await tab.look('embedding');
      });
      server.close();
    },
    // One finger over a list scrolls it, goes on when it is let go, and chooses nothing.
    async oneFingerScrolls() {
      for (const [width, height] of [[360, 640], [390, 844], [430, 932]])
        await with_tab({ width, height, scale: 2, touch: true }, async function (tab) {
          await tab.go(kit.server.address + link({}));
          await tab.rest();
          await tab.page.keyboard.press('g');
          await tab.rest();
          await tab.look(`guide_${width}`);
          const before = await tab.hash(), shot = async function () { return Buffer.from(await tab.page.screenshot()); };
          const first = await shot();
          await tab.fingers([[[width / 2, height - 90], [width / 2, height - 210]]], 5);
          await tab.until('the list', async function () { return !first.equals(await shot()); });
          await tab.rest();
          await tab.look(`guide_${width}_scrolled`);
          assert.strictEqual(await tab.hash(), before, 'nothing was chosen');
          assert.strictEqual(await lesson(tab), null, 'nothing was opened');
        });
    },
    // A lecture fills the screen, and a tap's bar leaves it.
    async presentingByFinger() {
      await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
        await tab.go(kit.server.address + '#lesson=clocks/1');
        await tab.rest();
        await tab.page.keyboard.press('p');
        await tab.rest();
        await tab.page.touchscreen.tap(195, 300);
        await tab.until('the bar', function () { return tab.page.evaluate(function () { return !document.getElementById('presenting').hidden; }); });
        await tab.look('presenting_bar');
        await tab.page.evaluate(function () { document.querySelector('#presenting [data-says="leave"]').click(); });
        await tab.until('the end', function () { return tab.page.evaluate(function () { return document.getElementById('presenting').hidden; }); });
      });
    },
  };
};
