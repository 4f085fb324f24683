// book.js — what the book can do beside being read: a living figure, progress, search. Everything else needs no script.
'use strict';
(function () {
  const root = document.documentElement.dataset.root, words = JSON.parse(document.getElementById('words').textContent);

  // --- The living figure: one a page, in the place of the first picture that is reached or of the one that is chosen ----

  let living = null;
  function put_back() {
    if (!living) return;
    living.frame.replaceWith(living.picture);
    living = null;
  }
  function enliven(figure) {
    put_back();
    const picture = figure.querySelector('img'), frame = document.createElement('iframe');
    frame.src = figure.dataset.live;
    frame.title = picture.alt;
    frame.allow = 'clipboard-write';
    picture.replaceWith(frame);
    living = { frame, picture };
  }
  // A browser lets a page from a disk fetch nothing: then pictures stay pictures, and this is said once.
  const served = location.protocol !== 'file:', all = [...document.querySelectorAll('figure[data-live]')];
  if (!served) {
    for (const figure of all) figure.querySelector('figcaption').textContent = figure === all[0] ? words.disk : '';
  }
  const figures = served ? all : [];
  for (const figure of figures) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = words.live;
    button.addEventListener('click', function () { enliven(figure); });
    figure.querySelector('figcaption').prepend(button);
  }
  const first = document.querySelector('figure[data-first]');
  if (served && first && window.IntersectionObserver) {
    const reached = new IntersectionObserver(function (seen) {
      if (!seen.some(function (one) { return one.isIntersecting; })) return;
      reached.disconnect();
      if (!living) enliven(first);
    }, { threshold: 0.6 });
    reached.observe(first);
  }
  window.addEventListener('beforeprint', put_back);
  // It says how high its figure and controls are.
  window.addEventListener('message', function (e) {
    if (living && e.source === living.frame.contentWindow && e.data && e.data.posiscope === 'height')
      living.frame.style.height = e.data.height + 'px';
  });

  // --- Progress: where the program keeps its own ------------------------------------------------------------

  const place = 'posiscope:/kept/state/lessons.json';
  function progress() {
    try {
      const kept = JSON.parse(localStorage.getItem(place));
      return kept && typeof kept === 'object' && kept.lessons ? kept : { version: 1, lessons: {}, places: {} };
    } catch (unreadable) {
      return { version: 1, lessons: {}, places: {} };
    }
  }
  function keep(lesson, step, part) {
    const all = progress(), steps = all.lessons[lesson] = all.lessons[lesson] || {};
    steps[step] = Object.assign(steps[step] || {}, part);
    try {
      localStorage.setItem(place, JSON.stringify(all));
    } catch (refused) { /* nothing is kept then */ }
  }
  const elsewhere = [];  // what follows the program, or the book in another tab
  window.addEventListener('storage', function (e) {
    if (e.key === place) elsewhere.forEach(function (act) { act(); });
  });
  for (const form of document.querySelectorAll('form[data-step]')) {
    const { lesson, step } = form.dataset, before = () => (progress().lessons[lesson] || {})[step] || {}, kept = before();
    // As the program counts: what was answered at the first try has no tries.
    const judged = function (right, more) {
      const tries = (before().tries || 0) + (right || before().done ? 0 : 1);
      keep(lesson, step, Object.assign({ done: right || before().done === true }, tries ? { tries } : {}, more));
    };
    form.addEventListener('submit', function (e) { e.preventDefault(); });
    const show_kept = function () {
      for (const input of form.querySelectorAll('input')) {
        if (input.type === 'radio' && input.value === String(before().answer)) input.checked = true;
        if (input.type === 'checkbox') input.checked = before().done === true;
      }
    };
    show_kept();
    elsewhere.push(show_kept);
    for (const input of form.querySelectorAll('input')) {
      input.addEventListener('change', function () {
        if (input.type === 'checkbox') keep(lesson, step, { done: input.checked });
        else if (input.type !== 'radio') return;
        else if (input.value === '') keep(lesson, step, { done: true });
        else judged(input.classList.contains('right'), { answer: Number(input.value) });
      });
    }
    const fieldset = form.querySelector('.ask'), said = form.querySelector('.said');
    if (said) number_said(form, fieldset, said, kept, judged);
    const lists = [...form.querySelectorAll('select')];
    for (const list of lists)
      list.addEventListener('change', function () {
        if (lists.every(function (one) { return one.value; }))
          judged(lists.every(function (one) { return one.selectedOptions[0].className === 'right'; }));
      });
    if (lists.length && kept.done) for (const list of lists) list.value = list.querySelector('.right').value;
    if (fieldset && fieldset.classList.contains('curve')) curve_said(form, fieldset, kept, lesson, step);
  }

  // A number: with a script a wrong one is answered by its side.
  function number_said(form, fieldset, input, kept, judged) {
    const answer = Number(input.dataset.answer), near = Number(input.dataset.near);
    const bad = form.querySelector('.bad'), good = form.querySelector('.good');
    let last = '';
    function judge() {
      const value = Number(input.value.replace(/[\s,]/g, ''));
      if (input.value.trim() === '' || input.value === last) return;
      last = input.value;
      const right = Math.abs(value - answer) <= near;
      good.textContent = Math.abs(value - answer) <= 0.5 ? words.right : words.near;
      bad.textContent = Number.isNaN(value) ? words.no : value < answer ? words.low : words.high;
      judged(right, right ? { said: value } : {});
    }
    input.addEventListener('change', judge);
    form.addEventListener('submit', judge);
    if (kept.done && kept.said !== undefined) {
      input.value = last = kept.said;
      fieldset.classList.add('answered');
    }
  }

  // A curve by sliders, one a place: what is set is drawn, and beside the true one once that is shown.
  function curve_said(form, fieldset, kept, lesson, step) {
    const sliders = [...form.querySelectorAll('input[type=range]')], show = form.querySelector('.show');
    const cells = [...form.querySelectorAll('.yours')], picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    picture.setAttribute('viewBox', '0 0 100 100');
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.setAttribute('aria-hidden', 'true');
    const line = function (kind) {
      const made = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
      made.setAttribute('class', kind);
      picture.append(made);
      return made;
    };
    const mine = line('mine'), truth = line('true');
    const points = function (values) {
      return values.map(function (value, i) { return 100 * i / (sliders.length - 1) + ',' + (100 - 100 * value / sliders[i].max); }).join(' ');
    };
    function draw() {
      mine.setAttribute('points', points(sliders.map(function (one) { return Number(one.value); })));
      sliders.forEach(function (one, i) {
        one.nextElementSibling.textContent = cells[i].textContent = Math.round(one.value);
      });
      if (show.checked) truth.setAttribute('points', points(sliders.map(function (one) { return Number(one.dataset.true); })));
    }
    for (const slider of sliders) {
      const place = (kept.sketch || []).find(function (one) { return one[0] === Number(slider.dataset.at); });
      if (place) slider.value = place[1];
      slider.addEventListener('input', draw);
    }
    if (kept.done) show.checked = true;
    show.addEventListener('change', function () {
      keep(lesson, step, { done: true, sketch: sliders.map(function (one) { return [Number(one.dataset.at), Number(one.value)]; }) });
      draw();
    });
    sliders[sliders.length - 1].closest('.choice').after(picture);
    draw();
  }

  function count_done(mark) {
    const steps = progress().lessons[mark.dataset.parts] || {};
    const done = Object.values(steps).filter(function (one) { return one.done !== undefined ? one.done : one.answer !== undefined; }).length;
    if (done > 0) mark.textContent = words.done.replace('{done}', done).replace('{all}', mark.dataset.all);
  }
  const marks = [...document.querySelectorAll('[data-parts]')];
  marks.forEach(count_done);
  elsewhere.push(function () { marks.forEach(count_done); });

  // --- Search -------------------------------------------------------------------------------------------------

  const form = document.createElement('form'), field = document.createElement('input');
  form.setAttribute('role', 'search');
  field.type = 'search';
  field.placeholder = words.search;
  field.setAttribute('aria-label', words.search);
  form.append(field);
  document.querySelector('header').append(form);
  form.addEventListener('submit', function (e) { e.preventDefault(); });
  let pages = null;
  field.addEventListener('focus', function () {
    if (pages) return;
    pages = [];
    const script = document.createElement('script');
    script.src = root + 'search-' + document.documentElement.lang.slice(0, 2) + '.js';
    script.addEventListener('load', function () {
      pages = window.searchable;
      show();
    });
    document.head.append(script);
  });
  function show() {
    const before = document.getElementById('found');
    if (before) before.remove();
    const terms = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (terms.length === 0) return;
    const found = document.createElement('section'), list = document.createElement('ul'), title = document.createElement('p');
    found.id = 'found';
    title.setAttribute('role', 'status');
    const hits = pages.filter(function (page) {
      return terms.every(function (term) { return (page[1] + ' ' + page[2]).toLowerCase().includes(term); });
    });
    title.textContent = words.found.replace('{count}', hits.length);
    for (const [address, name, text] of hits.slice(0, 30)) {
      const item = document.createElement('li'), link = document.createElement('a'), where = document.createElement('div');
      const at = Math.max(0, text.toLowerCase().indexOf(terms[0]) - 60);
      link.href = address;
      link.textContent = name;
      where.className = 'soft';
      where.textContent = (at > 0 ? '…' : '') + text.slice(at, at + 160) + '…';
      item.append(link, where);
      list.append(item);
    }
    found.append(title, list);
    document.querySelector('main').prepend(found);
  }
  field.addEventListener('input', function () { if (pages) show(); });
})();
