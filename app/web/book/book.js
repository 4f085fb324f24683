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
  const figures = [...document.querySelectorAll('figure[data-live]')];
  for (const figure of figures) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = words.live;
    button.addEventListener('click', function () { enliven(figure); });
    figure.querySelector('figcaption').prepend(button);
  }
  const first = document.querySelector('figure[data-first]');
  if (first && window.IntersectionObserver) {
    const reached = new IntersectionObserver(function (seen) {
      if (!seen.some(function (one) { return one.isIntersecting; })) return;
      reached.disconnect();
      if (!living) enliven(first);
    }, { threshold: 0.6 });
    reached.observe(first);
  }
  window.addEventListener('beforeprint', put_back);

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
  for (const form of document.querySelectorAll('form[data-step]')) {
    const { lesson, step } = form.dataset, kept = (progress().lessons[lesson] || {})[step] || {};
    form.addEventListener('submit', function (e) { e.preventDefault(); });
    for (const input of form.querySelectorAll('input')) {
      if (input.type === 'radio' && input.value === String(kept.answer)) input.checked = true;
      if (input.type === 'checkbox') input.checked = kept.done === true;
      input.addEventListener('change', function () {
        if (input.type === 'checkbox') keep(lesson, step, { done: input.checked });
        else if (input.value !== '') keep(lesson, step, { answer: Number(input.value) });
      });
    }
  }
  for (const mark of document.querySelectorAll('[data-parts]')) {
    const steps = progress().lessons[mark.dataset.parts] || {};
    const done = Object.values(steps).filter(function (one) { return one.done || one.answer !== undefined; }).length;
    if (done > 0) mark.textContent = words.done.replace('{done}', done).replace('{all}', mark.dataset.all);
  }

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
