// worker.js — the service worker: the page without a network. Names of files hold their content, so that what is here is
// right for good; only the page itself is asked for anew, and where nobody answers the one that is here is shown.
'use strict';
const built = /*built*/{}/*built*/;
const kPatience = 4000;  // ms until the page that is here is shown
const here = function () { return caches.open('posiscope'); };

self.addEventListener('install', function (e) {
  e.waitUntil(here().then(function (cache) {
    return cache.addAll(built.shell.map(function (name) { return new Request(name, { cache: name === './' ? 'reload' : 'default' }); }));
  }).then(function () { return self.skipWaiting(); }));
});

// What no version that is here names is let go.
self.addEventListener('activate', function (e) {
  const known = new Set([...built.shell, ...built.late].map(function (name) { return new URL(name, self.location).href; }));
  e.waitUntil(here().then(function (cache) {
    return cache.keys().then(function (all) {
      return Promise.all(all.filter(function (one) { return !known.has(one.url); }).map(function (one) { return cache.delete(one); }));
    });
  }).then(function () { return self.clients.claim(); }));
});

function anew(request) {
  return new Promise(function (resolve, fail) {
    setTimeout(fail, kPatience);
    fetch(request).then(function (answer) {
      if (answer.status >= 500) fail();
      else resolve(answer);
    }, fail);
  }).catch(function () {
    return here().then(function (cache) { return cache.match('./'); }).then(function (kept) { return kept || fetch(request); });
  });
}
function keptOrFetched(request) {
  return here().then(function (cache) {
    return cache.match(request).then(function (kept) {
      return kept || fetch(request).then(function (answer) {
        if (answer.ok) cache.put(request, answer.clone());
        return answer;
      });
    });
  });
}

self.addEventListener('fetch', function (e) {
  const url = new URL(e.request.url), folder = new URL('./', self.location);
  if (e.request.method !== 'GET' || !url.href.startsWith(folder.href)) return;
  const name = url.pathname.slice(folder.pathname.length);
  if (e.request.mode === 'navigate' && (name === '' || name === 'index.html')) e.respondWith(anew(e.request));
  else if (built.shell.includes(name) || built.late.includes(name)) e.respondWith(keptOrFetched(e.request));
});
