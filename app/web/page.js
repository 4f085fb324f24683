// page.js — the page around the program: frames when one is due, events, files, the clipboard, the address, what is kept.
// It talks to nobody: every byte it fetches lies beside it. It comes before posiscope.js, which finds it in Module.
var Module = typeof Module === 'undefined' ? {} : Module;
Module.page = (function () {
  const canvas = document.getElementById('canvas');
  const typed = document.getElementById('typed');
  const chooser = document.getElementById('chooser');
  const kept = 'posiscope:';  // before the names in localStorage
  const query = new URLSearchParams(location.search);
  const small = query.has('figure') || query.has('controls');

  // ImGui's letters in full precision, as the window draws them: half of it rounds their edges otherwise, and on a telephone
  // it is too coarse for the places of letters in a large atlas.
  const webgl = window.WebGL2RenderingContext && WebGL2RenderingContext.prototype;
  const giveSource = webgl && webgl.shaderSource;
  if (webgl) webgl.shaderSource = function (shader, text) {
    giveSource.call(this, shader, text.replace('precision mediump float;', 'precision highp float;'));
  };

  let opened = false;
  let frame = 0, timer = 0, event = 1;
  let width = 0, height = 0, scale = 1;
  const counts = { frames: 0, resting: false };  // resting: nothing is due, so the next frame is somebody's doing

  // --- Frames ---------------------------------------------------------------------------------------------

  function draw(now) {
    frame = 0;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const because = event;
    event = 0;
    const wait = Module._posiscope_frame(width, height, scale, now / 1000, because);
    counts.frames += 1;
    if (small) followControls();
    if (frame !== 0) return;
    counts.resting = wait < 0;
    if (wait === 0) frame = requestAnimationFrame(draw);
    else if (wait > 0) timer = setTimeout(ask, 1000 * wait);
  }
  function ask() {
    if (!opened || width === 0) return;
    clearTimeout(timer);
    counts.resting = false;
    if (frame === 0) frame = requestAnimationFrame(draw);
  }
  function happened() {
    event = 1;
    ask();
  }
  // What the browser tells reaches a program that is there.
  function on(target, name, act, options) {
    target.addEventListener(name, function (e) {
      if (opened) act(e);
    }, options);
  }

  // --- Size -----------------------------------------------------------------------------------------------

  function resize(w, h) {
    width = Math.max(1, Math.round(w));
    height = Math.max(1, Math.round(h));
    scale = window.devicePixelRatio || 1;
    happened();
  }
  new ResizeObserver(function (entries) {
    const entry = entries[entries.length - 1];
    const ratio = window.devicePixelRatio || 1;
    const size = { w: entry.contentRect.width * ratio, h: entry.contentRect.height * ratio };
    // To the pixel where the browser says it; Safari does not, and Chromium not of a ratio that is emulated.
    const exact = entry.devicePixelContentBoxSize && entry.devicePixelContentBoxSize[0];
    if (exact && Math.abs(exact.inlineSize - size.w) < 2 && Math.abs(exact.blockSize - size.h) < 2)
      return resize(exact.inlineSize, exact.blockSize);
    resize(size.w, size.h);
  }).observe(canvas);

  // --- Mouse and touch ------------------------------------------------------------------------------------

  const kButtons = [0, 2, 1];  // the browser's middle and right are ImGui's 2 and 1
  const kStill = 10, kSwipe = 60, kWheel = 77;  // CSS pixels; of a list, a notch of the wheel
  const touch = { longPress: 500 };  // ms; a test of slow fingers has its own
  const fingers = new Map();
  let pressing = 0, holding = false, first = null, both = null;

  function place(e) {
    const box = canvas.getBoundingClientRect();
    return { x: (e.clientX - box.left) * scale, y: (e.clientY - box.top) * scale };
  }
  function move(at, touch) { Module._posiscope_pointer(at.x, at.y, touch ? 1 : 0); }
  function hold(at) {
    move(at, true);
    Module._posiscope_button(0, 1);
    holding = true;
  }
  function release() {
    if (holding) Module._posiscope_button(0, 0);
    holding = false;
  }
  function middle() {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  }
  function longPress(at) {
    pressing = 0;
    first = null;
    release();
    move(at, true);
    Module._posiscope_button(1, 1);
    Module._posiscope_button(1, 0);
    happened();
  }
  // Two fingers enlarge or move the picture, whichever they do first.
  function followBoth() {
    const now = middle();
    if (both.does === '') {
      if (Math.abs(Math.log(now.apart / both.began.apart)) > 0.1) both.does = 'pinch';
      else if (Math.hypot(now.x - both.began.x, now.y - both.began.y) > kStill * scale) {
        both.does = Module._posiscope_pan(1) ? 'pan' : 'scroll';
        if (both.does === 'pan') hold(both.began);
      } else return;
    }
    move(now, true);
    if (both.does === 'pinch') Module._posiscope_pinch(now.apart / both.last.apart);
    if (both.does === 'scroll') Module._posiscope_wheel(0, (now.y - both.last.y) / (kWheel * scale));
    both.last = now;
  }
  on(canvas, 'pointerdown', function (e) {
    if (document.activeElement !== typed) canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(e.pointerId);
    const at = place(e);
    if (fingers.size === 0) Module._posiscope_pan(0);
    if (e.pointerType !== 'touch') {
      move(at, false);
      Module._posiscope_button(kButtons[e.button] || 0, 1);
      return happened();
    }
    fingers.set(e.pointerId, at);
    clearTimeout(pressing);
    pressing = 0;
    // Presses nothing yet: a second finger may follow, which enlarges, or scrolls what stands below.
    if (fingers.size === 1) {
      move(at, true);
      first = at;
      pressing = setTimeout(longPress, touch.longPress, at);
    } else {
      release();
      first = null;
      both = fingers.size === 2 ? { does: '', began: middle(), last: middle() } : null;
    }
    happened();
  });
  on(canvas, 'pointermove', function (e) {
    const at = place(e);
    if (e.pointerType !== 'touch') {
      move(at, false);
      return happened();
    }
    const before = fingers.get(e.pointerId);
    if (!before) return;
    if (pressing) {
      if (Math.hypot(at.x - before.x, at.y - before.y) <= kStill * scale) return;
      clearTimeout(pressing);
      pressing = 0;
      hold(first);
    }
    fingers.set(e.pointerId, at);
    if (fingers.size === 1 && holding) move(at, true);
    else if (fingers.size === 2 && both) followBoth();
    happened();
  });
  function lift(e) {
    if (e.pointerType !== 'touch') {
      move(place(e), false);
      Module._posiscope_button(kButtons[e.button] || 0, 0);
      return happened();
    }
    if (pressing && e.type === 'pointerup') hold(first);  // a tap
    clearTimeout(pressing);
    pressing = 0;
    release();
    both = null;
    if (first && fingers.size === 1 && e.type === 'pointerup') {
      const to = place(e), across = to.x - first.x;
      if (Math.abs(across) > kSwipe * scale && Math.abs(across) > 2 * Math.abs(to.y - first.y))
        Module._posiscope_swipe(across < 0 ? 1 : -1);
    }
    first = null;
    fingers.delete(e.pointerId);
    if (fingers.size === 0) Module._posiscope_pointer_left();
    happened();
  }
  on(canvas, 'pointerup', lift);
  on(canvas, 'pointercancel', lift);
  on(canvas, 'pointerleave', function (e) {
    if (e.buttons !== 0) return;
    Module._posiscope_pointer_left();
    happened();
  });
  canvas.addEventListener('contextmenu', function (e) { e.preventDefault(); });
  on(canvas, 'wheel', function (e) {
    if (e.ctrlKey && !small) {
      // a touchpad's pinch, and the browser's own zoom by the wheel: the first is meant for the figure
      if (Math.abs(e.deltaY) >= 50) return;
    }
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 1 / 3 : e.deltaMode === 2 ? 3 : 1 / 100;
    Module._posiscope_wheel(-e.deltaX * unit, -e.deltaY * unit);
    happened();
  }, { passive: false });

  // --- Keys and text --------------------------------------------------------------------------------------

  function send(text, call) {
    const size = Module.lengthBytesUTF8(text) + 1, at = Module._malloc(size);
    Module.stringToUTF8(text, at, size);
    const result = call(at);
    Module._free(at);
    return result;
  }
  let leaving = false;  // Tab goes through the controls; after Escape it leaves the canvas
  function key(e, down) {
    if (e.isComposing || e.keyCode === 229) return;
    if (e.code === 'Tab' && leaving) return;
    if (down) leaving = e.code === 'Escape';
    const mods = (e.ctrlKey ? 1 : 0) | (e.shiftKey ? 2 : 0) | (e.altKey ? 4 : 0) | (e.metaKey ? 8 : 0);
    // What is pasted comes with the event of that name, and what a field cuts or copies goes there.
    if (down && (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'v') return;
    const wanted = send(e.code, function (code) {
      return send(e.key, function (name) { return Module._posiscope_key(code, name, down ? 1 : 0, mods); });
    });
    if (wanted && down) e.preventDefault();
    happened();
  }
  for (const element of [canvas, typed]) {
    on(element, 'keydown', function (e) { key(e, true); });
    on(element, 'keyup', function (e) { key(e, false); });
    on(element, 'focus', focus);
  }
  function focus(e) {
    Module._posiscope_focus(e.type === 'focus' ? 1 : 0);
    happened();
  }
  on(window, 'focus', focus);
  on(window, 'blur', focus);
  function takeTyped() {
    const text = typed.value;
    typed.value = '';
    if (text === '') return;
    send(text, function (at) { Module._posiscope_text(at); });
    happened();
  }
  on(typed, 'input', function (e) { if (!e.isComposing) takeTyped(); });
  on(typed, 'compositionend', takeTyped);

  // --- Clipboard ------------------------------------------------------------------------------------------

  let copied = -1;  // the picture's outcome

  function paste(text) {
    send(text, function (at) { Module._posiscope_paste(at); });
    happened();
  }
  on(document, 'paste', function (e) {
    e.preventDefault();
    if (e.clipboardData.files.length > 0) return takeFiles(e.clipboardData.files);
    paste(e.clipboardData.getData('text/plain'));
  });
  function copyText(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text).catch(function () { copyOldWay(text); });
    copyOldWay(text);
  }
  // Where the page came over plain http: through a selected text.
  function copyOldWay(text) {
    const before = document.activeElement;
    typed.value = text;
    typed.focus({ preventScroll: true });
    typed.select();
    document.execCommand('copy');
    typed.value = '';
    if (before) before.focus({ preventScroll: true });
  }
  function copyPicture(bytes) {
    copied = -1;
    const done = function (outcome) {
      return function () {
        copied = outcome;
        happened();
      };
    };
    if (!navigator.clipboard || !window.ClipboardItem) return done(0)();
    const item = new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) });
    navigator.clipboard.write([item]).then(done(1), done(0));
  }
  function pictureCopied() {
    const outcome = copied;
    copied = -1;
    return outcome;
  }
  function readClipboard() {
    if (navigator.clipboard && navigator.clipboard.readText)
      navigator.clipboard.readText().then(function (text) { if (text !== '') paste(text); }, function () {});
  }

  // --- Files ----------------------------------------------------------------------------------------------

  function takeFiles(files) {
    for (const file of files)
      file.arrayBuffer().then(function (bytes) {
        const path = '/files/' + file.name.replace(/[\/\0]/g, '_');
        Module.FS.writeFile(path, new Uint8Array(bytes));
        send(path, function (at) { Module._posiscope_file(at); });
        happened();
      });
  }
  document.addEventListener('dragover', function (e) { e.preventDefault(); });
  on(document, 'drop', function (e) {
    e.preventDefault();
    takeFiles(e.dataTransfer.files);
  });
  on(chooser, 'change', function () {
    takeFiles(chooser.files);
    chooser.value = '';
  });
  function save(name, bytes) {
    const link = document.createElement('a');
    const url = URL.createObjectURL(new Blob([bytes]));
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(url); }, 60000);
  }
  function download(path) { save(path.slice(path.lastIndexOf('/') + 1), Module.FS.readFile(path)); }

  // PDF and SVG are written by a second program, in a worker that lives for one file and has all that the page has.
  function writeVector(request, name) {
    const script = !Module.inside ? Promise.resolve('vector/vector.js') : bytesOf('vector/vector.js').then(function (text) {
      return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    });
    const written = Promise.all([script, bytesOf('vector/vector.wasm')]).then(function ([address, program]) {
      const assets = Module.UTF8ToString(Module._posiscope_assets()).split('\n').map(function (name) {
        const at = send(name, function (text) { return Module._posiscope_asset_bytes(text); });
        const size = send(name, function (text) { return Module._posiscope_asset_size(text); });
        return { name, bytes: Module.HEAPU8.slice(at, at + size) };
      });
      const files = Module.FS.readdir('/files').filter(function (file) { return !/^\.\.?$/.test(file); });
      return new Promise(function (done, fail) {
        const worker = new Worker(address);
        worker.onmessage = function (answer) {
          worker.terminate();
          if (answer.data.bytes) done(answer.data.bytes);
          else fail(new Error(answer.data.why));
        };
        worker.onerror = function (error) { fail(new Error(error.message)); };
        worker.postMessage({
          program, request, assets,
          files: files.map(function (file) { return { path: '/files/' + file, bytes: Module.FS.readFile('/files/' + file) }; }),
        });
      });
    });
    const tell = function (well) {
      send(name, function (text) { Module._posiscope_written(text, well); });
      happened();
    };
    written.then(function (bytes) {
      save(name, bytes);
      tell(1);
    }).catch(function (error) {
      console.warn('Posiscope: ' + error.message);
      tell(0);
    });
  }

  // Large files of the program's own that lie beside the page, or inside it where it is one file.
  const late = new Map();
  function bytesOf(name) {
    if (Module.inside) return Module.inside(name);
    return fetch(name).then(function (answer) {
      if (!answer.ok) throw new Error(name + ': ' + answer.status);
      return answer.arrayBuffer();
    }).then(function (buffer) { return new Uint8Array(buffer); });
  }
  function giveAsset(name, bytes) {
    const at = Module._malloc(bytes.length);
    Module.HEAPU8.set(bytes, at);
    send(name, function (text) { Module._posiscope_asset(text, at, bytes.length); });
    Module._free(at);
  }
  function fetchAsset(name) {
    if (!/^(fonts\/(chinese\.otf|all_symbols\.ttf)|(strings|experiments)\/[a-z_]+\.json)$/.test(name)) return false;
    if (!late.has(name)) late.set(name, bytesOf(name));
    late.get(name).then(function (bytes) {
      giveAsset(name, bytes);
      happened();
    }, function (error) { console.warn('Posiscope: ' + error.message); });
    return true;
  }

  // --- What is kept, and the address ----------------------------------------------------------------------

  // A browser may refuse its storage: then nothing is kept, and nothing else changes.
  function storage(act) {
    try {
      return act(window.localStorage);
    } catch (refused) {
      return undefined;
    }
  }
  const stored = new Map();
  function restore() {
    Module.FS.mkdirTree('/kept/state');
    Module.FS.mkdirTree('/kept/config');
    Module.FS.mkdirTree('/files');
    Module.FS.mkdirTree('/downloads');
    if (small) return;
    storage(function (store) {
      for (let i = 0; i < store.length; ++i) {
        const name = store.key(i);
        if (!name.startsWith(kept + '/kept/')) continue;
        const path = name.slice(kept.length), text = store.getItem(name);
        stored.set(path, text);
        Module.FS.writeFile(path, text);
      }
    });
  }
  let forgotten = false;
  function keep(path) {
    if (forgotten) return;
    const text = Module.FS.readFile(path, { encoding: 'utf8' });
    if (stored.get(path) === text) return;
    stored.set(path, text);
    storage(function (store) { store.setItem(kept + path, text); });
  }
  function forget() {
    forgotten = true;
    storage(function (store) {
      for (let i = store.length - 1; i >= 0; --i)
        if (store.key(i).startsWith(kept)) store.removeItem(store.key(i));
    });
    history.replaceState(null, '', location.pathname + location.search);
    location.reload();
  }
  function showLink(link) {
    if (!small) history.replaceState(null, '', link);
  }
  on(window, 'hashchange', function () {
    canvas.focus({ preventScroll: true });  // a changed address takes the focus away
    send(location.href, function (at) { Module._posiscope_link(at); });
    happened();
  });

  // --- The small form, for other people's pages -------------------------------------------------------------

  const sliders = new Map();
  function controlsNow() {
    return JSON.parse(send(query.get('controls') || '', function (keys) {
      return Module.UTF8ToString(Module._posiscope_controls(keys));
    }));
  }
  function makeControls() {
    const strip = document.getElementById('strip');
    for (const control of controlsNow()) {
      const key = control.key;
      const label = document.createElement('label'), number = document.createElement('output');
      const slider = document.createElement('input');
      slider.type = 'range';
      slider.addEventListener('input', function () {
        send(key, function (at) { Module._posiscope_set(at, Number(slider.value)); });
        happened();
      });
      label.append(control.name, slider, number);
      strip.append(label);
      sliders.set(key, { slider, number });
    }
    strip.hidden = sliders.size === 0;
    followControls();
  }
  function followControls() {
    for (const { key, value, minimum, maximum } of sliders.size > 0 ? controlsNow() : []) {
      const { slider, number } = sliders.get(key);
      slider.min = minimum;
      slider.max = maximum;
      if (Number(slider.value) !== value) slider.value = value;
      number.textContent = String(value).replace('-', '\u2212');
    }
  }

  // --- The rest -------------------------------------------------------------------------------------------

  const kCursors = { '-1': 'none', 0: 'default', 1: 'text', 2: 'move', 3: 'ns-resize', 4: 'ew-resize', 5: 'nesw-resize',
    6: 'nwse-resize', 7: 'pointer', 8: 'wait', 9: 'progress', 10: 'not-allowed' };
  let cursor = '';
  function setCursor(number) {
    const name = kCursors[number] || 'default';
    if (name === cursor) return;
    cursor = name;
    canvas.style.cursor = name;
  }
  function placeText(wanted, x, y, line) {
    typed.style.left = x / scale + 'px';
    typed.style.top = y / scale + 'px';
    typed.style.height = Math.max(line, 1) / scale + 'px';
    if (wanted && document.activeElement === canvas) typed.focus({ preventScroll: true });
    if (!wanted && document.activeElement === typed) canvas.focus({ preventScroll: true });
  }
  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(function () {});
  }
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  function heedMotion() {
    Module._posiscope_calm(still.matches ? 1 : 0);
    happened();
  }
  function describe(text) { document.getElementById('description').textContent = text; }
  function notify(text) { document.getElementById('notices').textContent = text; }
  function address() { return location.href.split('#')[0]; }

  function say(text) {
    const problem = document.getElementById('problem');
    problem.textContent = text;
    problem.hidden = false;
  }
  function fail(why) {
    opened = false;
    console.error('Posiscope: ' + why);
    say('Posiscope stopped: ' + why);
  }
  // The address and the scene outlive a lost context: the page begins anew with them.
  canvas.addEventListener('webglcontextlost', function (e) {
    e.preventDefault();
    opened = false;
  });
  canvas.addEventListener('webglcontextrestored', function () { location.reload(); });

  function spoken() {
    const kept = stored.get('/kept/config/preferences.json') || '{}';
    let chosen = '';
    try {
      chosen = JSON.parse(kept).language;
    } catch (damaged) { /* the program says so */ }
    return chosen || (/^zh/.test(navigator.language) ? 'zh' : 'en');
  }
  // A Chinese page begins with its font and its texts, so that its first picture has no boxes.
  function open() {
    if ((query.get('lang') || spoken()) !== 'zh') return begin();
    const needed = ['fonts/chinese.otf', 'strings/zh.json'];
    Promise.all(needed.map(bytesOf)).then(function (files) {
      files.forEach(function (bytes, i) { giveAsset(needed[i], bytes); });
      begin();
    }, begin);
  }
  function begin() {
    const language = query.get('lang') || (/^zh/.test(navigator.language) ? 'zh' : 'en');
    const refused = send(language, function (lang) {
      return send(location.href, function (at) {
        if (!small) return Module._posiscope_open(lang, at, 0);
        return send(query.get('figure') || '', function (figure) { return Module._posiscope_open(lang, at, figure); });
      });
    });
    if (refused) {
      const key = Module.UTF8ToString(refused);
      return say(key === 'gl.page' ? 'Posiscope needs WebGL 2, which this browser does not offer. ' +
        'Posiscope 需要 WebGL 2，此浏览器未提供。' : 'Posiscope cannot start: ' + key);
    }
    opened = true;
    still.addEventListener('change', heedMotion);
    heedMotion();
    if (small) makeControls();
    document.documentElement.lang = language;
    canvas.focus({ preventScroll: true });
    happened();
  }

  return { open, restore, counts, touch, small, address, copyText, copyPicture, pictureCopied, readClipboard, chooseFiles:
    function () { chooser.click(); }, download, writeVector, keep, forget, fullScreen, showLink, placeText, setCursor, fetchAsset, describe, notify, fail };
})();
window.posiscope = Module.page;  // for people who look behind it, and for tests
Module.canvas = document.getElementById('canvas');
Module.preRun = [function () { Module.page.restore(); }];
Module.onRuntimeInitialized = function () { Module.page.open(); };
