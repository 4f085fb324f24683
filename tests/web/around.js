// around.js — the page among other pages: its addresses and the browser's Back, other tabs, a network that fails, the pages
// that frame it, who hears a lesson, and one finger.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { PNG } = require('pngjs');
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
  const lessons = fs.readdirSync(path.join(__dirname, '../../assets/lessons')).filter(function (name) { return name.endsWith('.json'); })
    .map(function (name) { return JSON.parse(fs.readFileSync(path.join(__dirname, '../../assets/lessons', name))); });
  // What a screen reader is given, from the browser's own tree: [role, name] of everything that has a name.
  const spoken = async function (tab) {
    const all = [], walk = function (one) {
      if (one.role !== 'InlineTextBox' && one.role !== 'none' && one.name) all.push([one.role, one.name.replace(/\s+/g, ' ').trim()]);
      for (const child of one.children || []) walk(child);
    };
    walk(await tab.page.accessibility.snapshot({ interestingOnly: false }));
    return all;
  };
  const step_is = function (tab, title) {
    return tab.until(title, async function () { return ((await lesson(tab)) || [''])[0].endsWith(title); });
  };
  const progress = function (tab) {
    return tab.page.evaluate(function () { return JSON.parse(localStorage['posiscope:/kept/state/lessons.json'] || '{"lessons":{}}').lessons; });
  };

  async function late_files(broken) {
    let lacking = /^$/;
    const server = await serve(path.resolve(folder), { lacks: { test: function (name) { return lacking.test(name); } } });
    await with_tab({ address: server.address }, async function (tab) {
      const break_it = async function (name) {
        lacking = broken === 'server' && name || /^$/;
        if (broken === 'network') await tab.page.setOfflineMode(!!name);
      };
      await tab.go(server.address);
      await tab.rest();
      const is_in = function (language) {
        return tab.until(language, function () { return tab.page.evaluate(function (language) { return document.documentElement.lang === language; }, language); });
      };
      const arrived = function (name) {
        return tab.until(name, function () { return tab.requests.filter(function (url) { return url.includes(name); }).length > 1; });
      };
      for (const [name, act, sentence, then] of [
        ['zh-', function () { return tab.page.keyboard.press('l'); }, /texts of the other language/, function () { return is_in('zh'); }],
        ['all_symbols-', function () { return tab.go_to(link({ bench: 'attention', content: { kind: 'tokens', text: ['\u0416', '\u05d0'] } })); }, /font/, arrived],
        ['experiments/', function () { return tab.go_to(link({ bench: 'experiment' })); }, /results that come with/, async function (name) {
          await arrived(name);
          await tab.until('curves', async function () { return /\d/.test(await tab.heard()); });
        }]]) {
        await break_it(new RegExp(name));
        await act();
        await tab.until('the sentence of ' + name, async function () { return sentence.test(await tab.last_notice()); });
        await break_it(null);
        await then(name);
        if (name !== 'zh-') continue;
        await tab.page.keyboard.press('l');
        await is_in('en');
      }
      await break_it(/vector/);
      await tab.page.evaluate(function () { posiscope.writeVector('{}', 'x.pdf'); });
      await tab.until('the sentence of the PDF', async function () { return /x\.pdf was not written: .*could not be fetched/.test(await tab.last_notice()); });
      tab.said = tab.said.filter(function (line) { return !/404|ERR_INTERNET_DISCONNECTED|Posiscope: vector/.test(line); });
    });
    server.close();
  }

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
        await tab.go_to('#lesson=rope/2');
        await tab.until('another lesson', async function () { return !(await lesson(tab) || third).includes(third[0]); });
        await tab.rest();
        assert.strictEqual(await tab.hash(), '#lesson=rope/2');
        await tab.go_to('#lesson=nonsense/2');
        await tab.until('the sentence', async function () { return /nonsense/.test(await tab.last_notice()); });
        await tab.rest();
        await tab.go_to(link({ position: 30 }));
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
    // A hundred random histories, each of links, benches, figures and languages: Back and Forward show what was there. Every tenth
    // begins with the page that has no link.
    async randomHistories() {
      await with_tab({ width: 640, height: 480 }, async function (tab) {
        const places = ['#lesson=clocks/1', '#lesson=clocks/2', '#lesson=rope/1', '#lesson=shift/2', link({ position: 5 }), link({ bench: 'shift' }),
          link({ bench: 'attention', position: 9 })];
        let seed = 7, entries = 0, turns = 0;
        const chance = function (n) { return (seed = (seed * 1103515245 + 12345) % 2147483648) % n; };
        const now = async function () {
          await tab.rest();
          const { key, language } = await tab.page.evaluate(function () { return { key: navigation.currentEntry.key, language: document.documentElement.lang }; });
          return { key, shown: [await tab.hash(), language, (await lesson(tab) || []).join(' ')].join('\n') };
        };
        const other_place = async function () {
          const hash = await tab.hash(), others = places.filter(function (one) { return one !== hash; });
          await tab.go_to(others[chance(others.length)]);
        };
        const acts = [other_place, other_place,
          function () { return tab.chord(['Control'], 'ArrowRight'); },
          function () { return tab.page.keyboard.press(String(1 + chance(4))); },
          function () { return tab.page.keyboard.press('l'); }];
        for (let i = 0; i < 100; ++i) {
          if (i % 10 === 0) {
            await tab.page.goto('about:blank');
            await tab.go(kit.server.address);
          } else await other_place();
          const stack = [await now()], said = [];
          for (let at = 0, step = 0; step < 6; ++step) {
            const way = step < 2 ? 0 : chance(3), to = at + [0, -1, 1][way];
            if (way > 0 && to >= 0 && to < stack.length) {
              said.push(way === 1 ? 'Back' : 'Forward');
              await (way === 1 ? tab.page.goBack() : tab.page.goForward());
              at = to;
              ++turns;
              assert.deepStrictEqual(await now(), stack[at], `history ${i}: ${said.join(', ')}`);
              continue;
            }
            const act = chance(acts.length);
            said.push(['link', 'link', 'bench', 'figure', 'language'][act]);
            await acts[act]();
            const here = await now();
            if (here.key !== stack[at].key) {  // or it changed nothing that has an entry
              stack.splice(++at);
              ++entries;
            }
            stack[at] = here;
          }
        }
        console.log(`    100 histories: ${entries} entries, ${turns} times back or forward`);
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
        await tab.go_to('#lesson=shift/2');  // which writes where the learner is
        await tab.until('the place', async function () {
          return tab.page.evaluate(function () { return /"shift"/.test(localStorage['posiscope:/kept/state/lessons.json'] || ''); });
        });
        await tab.rest();
        const all = await progress(tab);
        assert.ok(all.rope && all.rope.turn.done && all.why.chosen.done, JSON.stringify(all));
        // The page itself, twice: a question is answered in each while the other is open.
        const asks = lessons.flatMap(function ({ id, steps }) {
          return steps.map(function ({ ask }, at) { return ask && ask.choices ? { id, place: ` ${at + 1} / ${steps.length}`, hash: `#lesson=${id}/${at + 1}` } : null; });
        }).filter(Boolean);
        const answer = async function (page, { place, hash }) {
          await page.bringToFront();
          await page.evaluate(function (hash) { location.hash = hash; }, hash);
          let at;
          await tab.until('the question of ' + hash, async function () {
            return at = await page.evaluate(function (place) {
              return document.getElementById('lesson-title').textContent.endsWith(place) && posiscope.counts.resting && posiscope.places()['guide:choice0'];
            }, place);
          });
          await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2);
          await tab.until('the verdict of ' + hash, function () {
            return page.evaluate(function () { return document.getElementById('lesson-verdict').textContent !== ''; });
          });
        };
        const [first, second] = [asks[0], asks.find(function ({ id }) { return id !== asks[0].id; })];
        await other.bringToFront();
        await other.goto(kit.server.address);
        await other.waitForFunction(function () { return window.posiscope && posiscope.counts.frames > 3; }, { polling: 100, timeout: 120000 });
        await answer(other, first);
        await tab.until('what is kept of it', async function () { return first.id in await progress(tab); });
        const theirs = await progress(tab);
        await answer(tab.page, second);
        await tab.until('what is kept of both', async function () { return second.id in await progress(tab); });
        const both = await progress(tab);
        for (const id of Object.keys(theirs)) if (id !== second.id) assert.deepStrictEqual(both[id], theirs[id], id);
        await other.close();
      });
    },
    // A late file that fails is told as what it is, asked for again, and kept once it is there: one that a server lacks, and one
    // that no network brings.
    async lateFiles() {
      for (const broken of ['server', 'network']) await late_files(broken);
    },
    // Those that were fetched late are there without a network.
    async lateFilesAreKept() {
      const downloads = fs.mkdtempSync(path.join(work, 'late-'));
      const server = await serve(path.resolve(folder));
      const { address } = server;
      await with_tab({ address, worker: true }, async function (tab) {
        const file = await tab.saves_into(downloads);
        await tab.go(address);
        await tab.rest();
        const language = function () { return tab.page.evaluate(function () { return document.documentElement.lang; }); };
        // The Chinese font and texts, every symbol, results, and what writes a PDF.
        const use_all = async function (name) {
          await tab.page.keyboard.press('l');
          await tab.until('Chinese', async function () { return await language() === 'zh'; });
          await tab.page.keyboard.press('l');
          await tab.until('English', async function () { return await language() === 'en'; });
          await tab.go_to(link({ bench: 'attention', content: { kind: 'tokens', text: ['\u0416', '\u05d0'] } }));
          await tab.rest();
          await tab.go_to(link({ bench: 'experiment' }));
          await tab.until('curves', async function () { return /\d/.test(await tab.heard()); });
          await tab.page.evaluate(function (name) {
            posiscope.writeVector(JSON.stringify({ scene: {}, figure: 'matrix', width: 400, height: 300, scale: 1, transparent: false, results: '',
              preferences: {}, format: '.pdf' }), name);
          }, name);
          assert.strictEqual(fs.readFileSync(await file(name)).subarray(0, 5).toString(), '%PDF-');
        };
        await use_all('first.pdf');
        await tab.until('what is kept', function () {
          return tab.page.evaluate(async function () {
            const all = await (await caches.open('posiscope')).keys();
            return !!navigator.serviceWorker.controller && ['chinese-', 'zh-', 'all_symbols-', 'experiments/', /vector-.*js/, /vector-.*wasm/].every(function (name) {
              return all.some(function (one) { return one.url.search(name) >= 0; });
            });
          });
        });
        server.close();
        await tab.page.goto('about:blank');
        await tab.go(address);
        await tab.rest();
        await use_all('again.pdf');
        tab.said = tab.said.filter(function (line) { return !/ERR_CONNECTION|Failed to (load|fetch)/.test(line); });
      });
    },
    // The step that is on stands beside the canvas: in both languages, each of every lesson is in the tree that screen readers are
    // given, with its choices and the headlines of its figures.
    async lessonsAreHeard() {
      for (const language of ['en', 'zh'])
        await with_tab({ language, width: 640, height: 480 }, async function (tab) {
          await tab.go(kit.server.address);
          await tab.rest();
          let steps = 0, choices = 0, headlines = 0;
          for (const { id, steps: all } of lessons) {
            for (let i = 1; i <= all.length; ++i) {
              await tab.go_to(`#lesson=${id}/${i}`);
              await tab.until(`${id}/${i}`, async function () {
                const heard = await lesson(tab);
                return heard && heard[0].endsWith(` ${i} / ${all.length}`) && await tab.hash() === `#lesson=${id}/${i}`;
              });
              const heard = await lesson(tab), text = heard.join(' ');
              assert.ok(heard[1].length > 5 || all[i - 1].results, text);
              assert.ok(!/[{}\\]/.test(text), text);
              if (language === 'zh') assert.ok(/[\u4e00-\u9fff]/.test(text), text);
              const tree = await spoken(tab), names = new Set(tree.map(function ([, name]) { return name; }));
              assert.ok(tree.some(function ([role, name]) { return role === 'heading' && name === heard[0].trim(); }), heard[0]);
              for (const one of heard.filter(Boolean)) assert.ok(names.has(one.replace(/\s+/g, ' ').trim()), `${id}/${i}: not in the tree: ${one}`);
              let figures;  // which may still move
              await tab.until(`the headlines of ${id}/${i}`, async function () {
                figures = (await tab.heard()).trim().split('\n').filter(Boolean);
                const all = (await spoken(tab)).map(function ([, name]) { return name; });
                return figures.every(function (one) { return all.some(function (name) { return name.includes(one.replace(/\s+/g, ' ').trim()); }); });
              });
              headlines += figures.length;
              ++steps;
              if (all[i - 1].ask && all[i - 1].ask.choices) {
                choices += all[i - 1].ask.choices.length;
                assert.ok(heard.length >= 2 + all[i - 1].ask.choices.length, text);
              }
            }
          }
          console.log(`    ${language}: ${steps} steps, ${choices} choices, ${headlines} headlines`);
          await tab.go_to('#lesson=clocks/3');
          await tab.rest();
          if (process.env.LOOK)
            fs.writeFileSync(path.join(process.env.LOOK, `accessibility_${language}.txt`),
              (await spoken(tab)).map(function (one) { return one.join(' '); }).join('\n') + '\n');
          // A choice that was taken, and what was said of it.
          const { id, steps: all } = lessons.find(function (one) { return one.steps.some(function ({ ask }) { return ask && ask.choices; }); });
          const at = all.findIndex(function ({ ask }) { return ask && ask.choices; });
          await tab.go_to(`#lesson=${id}/${at + 1}`);
          await step_is(tab, ` ${at + 1} / ${all.length}`);
          await tab.drawn();
          const before = (await spoken(tab)).length;
          await tab.click('guide:choice0');
          await tab.until('the verdict', async function () { return (await spoken(tab)).length > before; });
          const items = await tab.page.evaluate(function () {
            return [...document.querySelectorAll('#lesson-choices li')].map(function (one) { return / \(.+\)$/.test(one.textContent); });
          });
          assert.deepStrictEqual([items[0], items.slice(1).includes(true)], [true, false], 'the choice that was taken says so');
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
    // ?theme= by itself and in a frame, of a figure and of a bench: light, dark, or as the system has it, also when that changes.
    async themes() {
      const around = fs.mkdtempSync(path.join(work, 'themes-'));
      fs.cpSync(folder, path.join(around, 'page'), { recursive: true });
      const server = await serve(around, { policy: '' });
      for (const [kind, address] of [['alone', 'page/?theme='], ['figure', 'page/?figure=matrix&theme='], ['framed', 'figure.html?theme='], ['framed_bench', 'bench.html?theme=']])
        for (const theme of ['light', 'dark', 'auto'])
          await with_tab({ address: server.address, width: 700, height: 500 }, async function (tab) {
            const system = function (value) { return tab.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]); };
            let frame = tab.page.mainFrame();
            const becomes = function (value) {
              return tab.until(`${kind} ${theme} ${value}`, async function () {
                const shot = PNG.sync.read(Buffer.from(await tab.page.screenshot())), at = 4 * (shot.width * 250 + 3);
                return value === 'light' ? shot.data[at] > 200 : shot.data[at] < 60;
              });
            };
            const other = theme === 'light' ? 'dark' : 'light';
            await system(other);
            if (/^framed/.test(kind)) {
              fs.writeFileSync(path.join(around, address.split('?')[0]), '<!DOCTYPE html><link rel="icon" href="data:,"><style>body { margin: 0 } iframe { width: 700px; height: 500px; border: 0 }</style>' +
                `<iframe src="page/?${kind === 'framed' ? 'figure=matrix&' : ''}theme=${theme}"></iframe>`);
              await tab.page.goto(server.address + address + theme);
              frame = await (await tab.page.waitForSelector('iframe')).contentFrame();
            } else await tab.page.goto(server.address + address + theme);
            await frame.waitForFunction(function () { return window.posiscope && posiscope.counts.frames > 3; }, { polling: 50, timeout: 120000 });
            await becomes(theme === 'auto' ? other : theme);
            await tab.look(`theme_${kind}_${theme}_${other}`);
            await system(other === 'light' ? 'dark' : 'light');
            await becomes(theme === 'auto' ? 'dark' : theme);
          });
      server.close();
    },
    // No window makes words smaller than 85 in 100, and its bar has room for what is in it.
    async folding() {
      for (const language of ['en', 'zh'])
        await with_tab({ language }, async function (tab) {
          await tab.go(kit.server.address);
          const bar = async function () {
            await tab.rest();
            await tab.place('≡');  // of every bar that is not whole
            await tab.rest();
            const all = await tab.page.evaluate(function () { return posiscope.places(); });
            // Each once, by its words: its id (bar:guide) stands at the same place.
            return Object.entries(all).filter(function ([name, one]) { return !name.includes(':') && one.y < 20 && one.height < 60; }).sort(function (a, b) { return a[1].x - b[1].x; });
          };
          for (const [width, height] of [[360, 640], [499, 700], [501, 700], [640, 720], [683, 768], [768, 1024], [960, 600]]) {
            await tab.page.setViewport({ width, height });
            await tab.rest();
            if (width === 501 || width === 640) await tab.look(`folded_${language}_${width}`);
            const named = await bar();
            for (let i = 1; i < named.length; ++i)
              assert.ok(named[i][1].x >= named[i - 1][1].x + named[i - 1][1].width - 1, `${width}: ${named[i][0]} over ${named[i - 1][0]}`);
            const high = named.find(function ([name]) { return name === '≡'; })[1].height;
            assert.ok(high >= 0.85 * 30 - 0.5, `${width} × ${height}: a button is ${high} high`);
          }
        });
    },
    // One finger over a list scrolls it, goes on when it is let go, and chooses nothing.
    async oneFingerScrolls() {
      for (const [width, height] of [[360, 640], [390, 844], [430, 932]])
        await with_tab({ width, height, scale: 2, touch: true }, async function (tab) {
          await tab.go(kit.server.address + link({}));
          await tab.rest();
          const before = await tab.hash(), shot = async function () { return Buffer.from(await tab.page.screenshot()); };
          const close = function () { return tab.page.keyboard.press('Escape'); };
          for (const [name, open, from, end] of [
            ['menu', function () { return tab.page.touchscreen.tap(24, 23); }, 0.7, close],
            ['help', function () { return tab.page.keyboard.press('F1'); }, 0.7, close],
            ['guide', function () { return tab.page.keyboard.press('g'); }, 0.86, function () {}],
            ['claims', function () { return tab.tap('Claims'); }, 0.88, function () {}]]) {
            await open();
            await tab.rest();
            await tab.look(`${name}_${width}`);
            const first = await shot(), y = from * height;
            await tab.fingers([[[120, y], [120, y - (name === 'claims' ? 60 : 120)]]], 5);
            await tab.until('the list of ' + name, async function () { return !first.equals(await shot()); });
            await tab.rest();
            await tab.look(`${name}_${width}_scrolled`);
            assert.ok(!first.equals(await shot()), name + ' stays where it was scrolled to');
            assert.strictEqual(await tab.hash(), before, name + ': nothing was chosen');
            assert.strictEqual(await lesson(tab), null, name + ': nothing was opened');
            await end();
            await tab.rest();
          }
        });
    },
    // A finger that goes over a menu, whichever way and whichever row it ends on, takes nothing and opens nothing.
    async dragsOverAMenu() {
      for (const [width, height] of [[360, 640], [430, 932]])
        await with_tab({ width, height, scale: 2, touch: true }, async function (tab) {
          await tab.go(kit.server.address + link({}));
          await tab.rest();
          const before = await tab.hash(), open = async function () {
            await tab.page.touchscreen.tap(24, 23);
            await tab.rest();
            return tab.place('Single figure');
          };
          const lists_figures = async function () {
            for (let i = 0; i < 2; ++i) {
              await tab.page.evaluate(function () { posiscope.places(); });
              await tab.rest();
            }
            return tab.page.evaluate(function () { return 'Scores' in posiscope.places(); });
          };
          for (const [across, down] of [[0, -120], [0, 60], [-140, 4], [-100, -70]]) {
            const row = await open(), to = [row.x + 160, row.y + row.height / 2];
            await tab.fingers([[[to[0] + across, to[1] + down], to]], 5, 150);
            await tab.rest();
            await tab.look(`menu_dragged_${width}_${across}_${down}`);
            assert.ok(!await lists_figures(), `${across}, ${down}: the list of figures is open`);
            assert.strictEqual(await tab.hash(), before, 'nothing was chosen');
            await tab.page.keyboard.press('Escape');
            await tab.rest();
          }
          const row = await open();
          await tab.page.touchscreen.tap(row.x + 60, row.y + row.height / 2);
          await tab.until('a tap opens it', lists_figures);
        });
    },
    // Every lesson from its first step to its last, and each choice of its questions that is right, by taps and drags of one finger:
    // Back, Next and the answer are on the screen at every step, and large enough.
    async lessonsByFinger() {
      for (const [width, height] of [[360, 640], [390, 844], [430, 932]])
        await with_tab({ width, height, scale: 1, touch: true }, async function (tab) {
          await tab.go(kit.server.address);
          let taps = 0, drags = 0;
          const reachable = function (name, { x, y, width: wide, height: high }) {
            assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, `${name} at ${[x, y, wide, high]} of ${width} × ${height}`);
            assert.ok(Math.min(wide, high) >= 30, `${name} has ${wide} × ${high}`);
          };
          const tap = async function (name) {
            reachable(name, await tab.place(name));
            await tab.tap(name);
            ++taps;
          };
          for (const { id, steps } of lessons) {
            await tab.go_to(`#lesson=${id}/1`);
            for (let i = 1; i <= steps.length; ++i) {
              await step_is(tab, ` ${i} / ${steps.length}`);
              await tab.drawn();  // its text is there a frame before its picture, and the places of that
              const { ask } = steps[i - 1], right = ask && ask.choices ? ask.choices.findIndex(function (one) { return one.right; }) : -1;
              if (i === 3 && process.env.LOOK) await tab.rest();
              if (i === 3) await tab.look(`finger_${id}_${width}`);
              if (right >= 0) {
                const name = 'guide:choice' + right;
                // What lies below the fold is brought into sight by a drag over the text.
                for (let tries = 0; tries < 12; ++tries) {
                  const { y, height: high } = await tab.place(name), top = await tab.point('guide:map', 0, 1, 14), foot = await tab.point('guide:back', 0, 0, -14);
                  const by = Math.max(top[1] - y, Math.min(0, foot[1] - y - high));
                  if (Math.abs(by) < 1) break;
                  const middle = (top[1] + foot[1]) / 2, way = Math.sign(by) * Math.min(140, Math.abs(by) + 14);
                  await tab.fingers([[[width / 2, middle], [width / 2, middle + way]]], 4, 120);
                  await tab.rest();
                  ++drags;
                }
                await tap(name);
                await tab.until(`the answer of ${id}/${i}`, async function () {
                  return tab.page.evaluate(function () { return document.getElementById('lesson-verdict').textContent !== ''; });
                });
              }
              reachable('guide:back', await tab.place('guide:back'));
              if (i < steps.length) await tap('guide:next');
            }
          }
          console.log(`    ${width} × ${height}: ${lessons.length} lessons, ${taps} taps, ${drags} drags`);
        });
    },
    // A lecture fills the screen, and a tap's bar leaves it.
    async presentingByFinger() {
      await with_tab({ width: 390, height: 844, scale: 2, touch: true }, async function (tab) {
        await tab.go(kit.server.address + '#lesson=clocks/1');
        await tab.rest();
        await tab.page.keyboard.press('p');
        await tab.until('the full screen', function () { return tab.page.evaluate(function () { return document.fullscreenElement !== null; }); });
        await tab.rest();
        const shown = function () { return tab.page.evaluate(function () { return !document.getElementById('presenting').hidden; }); };
        await tab.page.touchscreen.tap(195, 300);
        await tab.until('the bar', shown);
        await tab.look('presenting_bar');
        const { x, y, width, height } = await tab.page.evaluate(function () { return document.querySelector('#presenting [data-says="leave"]').getBoundingClientRect().toJSON(); });
        assert.ok(height >= 40 && x + width <= 390 && y + height <= 844, JSON.stringify([x, y, width, height]));
        await tab.page.touchscreen.tap(x + width / 2, y + height / 2);
        await tab.until('the end', async function () { return !await shown(); });
        assert.ok(await tab.page.evaluate(function () { return document.fullscreenElement === null; }), 'the window again');
      });
    },
  };
};
