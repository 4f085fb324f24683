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
  // Files beside the page, in given/, that the scene of the address names, as a notebook has them. Like the small form, such a
  // page keeps nothing: there may be several of it, each with a scene of its own.
  const given = Module.inside ? [] : (query.get('given') || '').split(',').filter(function (name) { return /^[\w-]+\.npy$/.test(name); });
  const alone = small || given.length > 0;
  const embedded = window.parent !== window;
  // ?theme=light|dark|auto; auto: as the system has it, and so mostly the page around. Before the first frame, too.
  const darkness = window.matchMedia('(prefers-color-scheme: dark)');
  function askedTheme() {
    const theme = query.get('theme');
    return theme !== 'auto' ? theme : darkness.matches ? 'dark' : 'light';
  }
  document.body.classList.toggle('light', askedTheme() === 'light');

  // What publish.py knows: under which name a file lies here, and how many bytes it has.
  const built = /*built*/{}/*built*/;
  const addressOf = function (name) { return built[name] ? built[name].address : name; };

  // --- What is said before the program can speak, or once it cannot any more -------------------------------

  const kSaid = {
    browser: ['Posiscope needs a newer browser: this one lacks WebAssembly with vector instructions and exceptions. ' +
      'Firefox 100, Chrome 95, Edge 95, Safari 16.4 and later ones have them.',
      'Posiscope 需要较新的浏览器：当前浏览器不支持带向量指令和异常处理的 WebAssembly。' +
      '请使用 Firefox 100、Chrome 95、Edge 95、Safari 16.4 或更高版本。'],
    gl: ['Posiscope draws with WebGL 2, which this browser does not offer here. It may be switched off, or the graphics ' +
      'driver may be blocked.',
      'Posiscope 使用 WebGL 2 绘图，而此浏览器目前不提供它：它可能被关闭，或显卡驱动被禁用。'],
    missing: ['A part of this page could not be fetched: {what}. Check the connection, then reload. If it stays, the copy ' +
      'on the server is incomplete.',
      '页面的一部分无法获取：{what}。请检查网络后重新加载；若仍然如此，则服务器上的文件不完整。'],
    disk: ['A browser fetches nothing for a page that was opened from a disk. Open posiscope.html, which is one file, or ' +
      'serve this folder.',
      '从磁盘打开的页面不能获取其他文件。请打开单文件版 posiscope.html，或通过服务器访问此文件夹。'],
    frame: ['The frame around this page keeps it from its own files. Its sandbox needs allow-scripts and allow-same-origin.',
      '此页面所在的框架不允许它读取自己的文件：sandbox 属性须包含 allow-scripts 和 allow-same-origin。'],
    lost: ['The graphics card has taken back what Posiscope draws with. Nothing is lost: reload the page.',
      '显卡收回了 Posiscope 的绘图资源。内容没有丢失：请重新加载页面。'],
    stopped: ['Posiscope stopped: {what}. Reload the page; what you saw last is kept.',
      'Posiscope 已停止：{what}。请重新加载页面；最后的内容已保留。'],
    again: ['Reload', '重新加载'],
    controls: ['Posiscope: Tab goes through the controls, Escape and Tab leave them', 'Posiscope：Tab 逐个经过控件，Escape 和 Tab 离开'],
    figures: ['Figures', '图'],
    book: ['The lessons as a book, which needs none of this', '课程的书页版，不需要这些功能'],
  };
  const kReloads = ['missing', 'lost', 'stopped'], kBookInstead = ['browser', 'gl', 'missing', 'stopped'];
  const start = document.getElementById('start'), bar = document.getElementById('bar');
  start.classList.add('runs');
  let silent = false;  // the page is going away
  window.addEventListener('pagehide', function () { silent = true; });
  window.addEventListener('pageshow', function () { silent = false; });
  function sentence(key, what) { return kSaid[key][inChinese() ? 1 : 0].replace('{what}', what || ''); }
  // The first sentence stays: what follows it follows from it.
  function stop(key, what) {
    const problem = document.getElementById('problem');
    opened = false;
    if (silent || !problem.hidden) return;
    console.error('Posiscope: ' + key + (what ? ': ' + what : ''));
    start.remove();
    problem.textContent = sentence(key, what);
    if (kBookInstead.includes(key)) {
      const link = document.createElement('a');
      if (putBookLink(link, (/^#lesson=([a-z0-9_-]+)/.exec(location.hash) || [])[1], sentence('book'))) problem.append(document.createElement('br'), link);
    }
    if (kReloads.includes(key)) {
      const button = document.createElement('button');
      button.textContent = sentence('again');
      button.addEventListener('click', function () { location.reload(); });
      problem.append(button);
    }
    problem.hidden = false;
  }
  // Where the page is the book's, its page of a lesson, or its first; false where there is no book.
  const book = document.querySelector('meta[name="book"]');
  function putBookLink(link, lesson, text) {
    link.hidden = !book;
    if (!book) return false;
    link.textContent = text;
    link.href = book.content + (inChinese() ? 'zh/' : 'en/') + (lesson ? 'lesson-' + lesson : 'index') + '.html';
    return true;
  }
  function fail(why) { stop('stopped', why); }
  function unfetched(error) {
    if (Module.inside) return stop('browser');  // which cannot unpack
    if (location.protocol === 'file:') return stop('disk');
    if (window.origin === 'null') return stop('frame');
    stop('missing', error.message);
  }
  window.addEventListener('error', function (e) {
    if (e.target instanceof HTMLScriptElement) unfetched(new Error(e.target.getAttribute('src')));
    else if (window.WebAssembly && e.error instanceof WebAssembly.RuntimeError) fail(e.error.message);
  }, true);

  // A function that adds with vectors, and one that catches.
  function canRun() {
    const head = [0, 97, 115, 109, 1, 0, 0, 0, 1];
    return typeof WebAssembly === 'object' && [
      [5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
      [4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11],
    ].every(function (body) { return WebAssembly.validate(new Uint8Array(head.concat(body))); });
  }

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
    clearTimeout(timer);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const because = event;
    event = 0;
    const wait = Module._posiscope_frame(width, height, scale, now / 1000, because);
    counts.frames += 1;
    if (counts.frames === 1) start.remove();
    if (small) followControls();
    if (frame !== 0) return;
    counts.resting = wait < 0;
    if (counts.resting) keepPage();
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
  function drawNow(frames) {
    event = 1;
    for (; frames > 0 && opened; --frames) {
      cancelAnimationFrame(frame);
      draw(performance.now());
    }
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
    if (opened) drawNow(1);  // before the browser shows the old picture stretched
  }
  const sizes = new ResizeObserver(function (entries) {
    const entry = entries[entries.length - 1];
    const ratio = window.devicePixelRatio || 1;
    const size = { w: entry.contentRect.width * ratio, h: entry.contentRect.height * ratio };
    // To the pixel where the browser says it; Safari does not, and Chromium not of a ratio that is emulated.
    const exact = entry.devicePixelContentBoxSize && entry.devicePixelContentBoxSize[0];
    if (exact && Math.abs(exact.inlineSize - size.w) < 2 && Math.abs(exact.blockSize - size.h) < 2)
      return resize(exact.inlineSize, exact.blockSize);
    resize(size.w, size.h);
  });
  try {
    sizes.observe(canvas, { box: 'device-pixel-content-box' });
  } catch (unknown) {
    sizes.observe(canvas);
  }
  // The browser's zoom, or another screen, may change only how many pixels a point has, and leave the box as it is: in pixels, or
  // in points, of which an observer hears nothing then.
  function followRatio() {
    const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
    if (width === 0 || ratio === scale) return;
    const w = box.width * ratio, h = box.height * ratio;
    const told = Math.abs(w - width) < 2 && Math.abs(h - height) < 2;
    resize(told ? width : w, told ? height : h);
  }
  function watchRatio() {
    window.matchMedia('(resolution: ' + (window.devicePixelRatio || 1) + 'dppx)').addEventListener('change', function () {
      followRatio();
      watchRatio();
    }, { once: true });
  }
  watchRatio();
  window.addEventListener('resize', followRatio);
  if (window.visualViewport) window.visualViewport.addEventListener('resize', followRatio);

  // --- Mouse and touch ------------------------------------------------------------------------------------

  const kButtons = [0, 2, 1];  // the browser's middle and right are ImGui's 2 and 1
  // A tap draws its frames at once: a telephone shows its keys only for a field that has the focus before the tap has ended.
  const kTapFrames = 4;
  const kStill = 10, kSwipe = 60, kWheel = 77;  // CSS pixels; of a list, a notch of the wheel
  const kFlick = 4, kRested = 80;  // the places of a finger that its speed is told by; ms after which it has stopped
  const touch = { longPress: 500 };  // ms; a test of slow fingers has its own
  const fingers = new Map();
  let pressing = 0, holding = false, first = null, both = null, framesBefore = 0;
  let sliding = null;  // the last places of a finger that scrolls a list, and when it was there

  function place(e) {
    const box = canvas.getBoundingClientRect();
    return { x: (e.clientX - box.left) * width / box.width, y: (e.clientY - box.top) * height / box.height };
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
  // A figure in somebody else's page leaves the wheel, and a finger that goes up or down, to that page until it is clicked.
  let engaged = true;
  function engage(now) {
    engaged = now || !embedded;
    canvas.style.touchAction = engaged ? 'none' : 'pan-y';
  }
  engage(false);
  window.addEventListener('blur', function () { engage(false); });
  on(canvas, 'pointerdown', function (e) {
    if (e.pointerType !== 'touch') engage(true);
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
    sliding = null;
    Module._posiscope_let_go(0);  // a list that still goes on stands
    // Presses nothing yet: a second finger may follow, which enlarges, or scrolls what stands below.
    if (fingers.size === 1) {
      Module._posiscope_touch(at.x, at.y);
      first = at;
      framesBefore = counts.frames;
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
      // What lies under a quick finger is known after a frame, and one for what the finger before it did.
      if (counts.frames < framesBefore + 2) drawNow(2);
      // Up or down over a list scrolls it, whatever lies under the finger, and a menu takes nothing; else it takes hold of that.
      const upright = Math.abs(at.y - first.y) > Math.abs(at.x - first.x);
      if (Module._posiscope_grasp(upright ? 1 : 0)) sliding = [{ y: first.y, at: e.timeStamp }];
      else hold(first);
    }
    fingers.set(e.pointerId, at);
    if (sliding && fingers.size === 1) {
      Module._posiscope_slide(at.y - sliding[sliding.length - 1].y);
      sliding.push({ y: at.y, at: e.timeStamp });
      if (sliding.length > kFlick) sliding.shift();
    } else if (fingers.size === 1 && holding) move(at, true);
    else if (fingers.size === 2 && both) followBoth();
    happened();
  });
  function lift(e) {
    if (e.pointerType !== 'touch') {
      move(place(e), false);
      Module._posiscope_button(kButtons[e.button] || 0, 0);
      return happened();
    }
    const tap = pressing !== 0 && e.type === 'pointerup';
    if (tap) hold(first);
    if (tap) engage(true);
    clearTimeout(pressing);
    pressing = 0;
    release();
    both = null;
    if (sliding) {
      const from = sliding[0], to = sliding[sliding.length - 1], time = to.at - from.at;
      if (time > 0 && e.timeStamp - to.at < kRested) Module._posiscope_let_go(1000 * (to.y - from.y) / time);
      sliding = first = null;
    }
    if (first && fingers.size === 1 && e.type === 'pointerup') {
      const to = place(e), across = to.x - first.x;
      if (Math.abs(across) > kSwipe * scale && Math.abs(across) > 2 * Math.abs(to.y - first.y))
        Module._posiscope_swipe(across < 0 ? 1 : -1);
    }
    first = null;
    fingers.delete(e.pointerId);
    if (fingers.size === 0) Module._posiscope_pointer_left();
    happened();
    if (tap) drawNow(kTapFrames);
    if (tap && bar_words) showBar();
  }
  on(canvas, 'pointerup', lift);
  // The mouse that browsers make of a tap would take the focus from the field that the tap has opened.
  canvas.addEventListener('touchend', function (e) { if (e.cancelable) e.preventDefault(); }, { passive: false });
  on(canvas, 'pointercancel', lift);
  on(canvas, 'pointerleave', function (e) {
    if (e.buttons !== 0) return;
    Module._posiscope_pointer_left();
    happened();
  });
  canvas.addEventListener('contextmenu', function (e) { e.preventDefault(); });
  on(canvas, 'wheel', function (e) {
    if (!engaged && !e.ctrlKey) return;
    // a touchpad's pinch, and the browser's own zoom by the wheel: the first is meant for the figure
    if (e.ctrlKey && !embedded && Math.abs(e.deltaY) >= 50) return;
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
    const tell = function (down) {
      return send(e.code, function (code) {
        return send(e.key, function (name) { return Module._posiscope_key(code, name, down, mods); });
      });
    };
    const wanted = tell(down ? 1 : 0);
    // A Mac does not say when a key goes up while Cmd is down: it goes up at once.
    if (down && e.metaKey && !/^Meta/.test(e.code)) tell(0);
    if (wanted && down) e.preventDefault();
    happened();
  }
  const controls = document.getElementById('controls');
  for (const element of [canvas, typed, controls]) {
    on(element, 'keydown', function (e) { key(e, true); });
    on(element, 'keyup', function (e) { key(e, false); });
    on(element, 'focus', focus);
  }
  // A screen reader presses what it reads.
  on(controls, 'click', function (e) {
    e.preventDefault();
    for (const down of [1, 0])
      send('Enter', function (code) { Module._posiscope_key(code, code, down, 0); });
    happened();
  });
  // The control that has the keyboard, as an element in the place where it is drawn: a new one for another control, so
  // that it is read whole; else what has changed of it.
  let shownControl = null;
  function showControl(control) {
    const same = shownControl && shownControl.role === control.role && shownControl.name === control.name;
    const had = document.activeElement === canvas || controls.contains(document.activeElement);
    shownControl = control.role ? control : null;
    if (!shownControl) {
      if (controls.contains(document.activeElement)) canvas.focus({ preventScroll: true });
      return controls.replaceChildren();
    }
    const element = same ? controls.firstChild : document.createElement('div');
    element.setAttribute('role', control.role);
    element.setAttribute('aria-label', control.name);
    element.tabIndex = -1;
    if (control.role === 'slider') {
      element.setAttribute('aria-valuemin', control.least);
      element.setAttribute('aria-valuemax', control.most);
      element.setAttribute('aria-valuenow', control.now);
      element.setAttribute('aria-valuetext', control.value);
    } else if (['switch', 'checkbox', 'radio'].includes(control.role)) {
      element.setAttribute('aria-checked', control.on);
    } else {
      element.textContent = control.value;
      if (control.role === 'combobox') element.setAttribute('aria-expanded', 'false');
    }
    const box = canvas.getBoundingClientRect();
    element.style.left = box.left + control.x / scale + 'px';
    element.style.top = box.top + control.y / scale + 'px';
    element.style.width = control.width / scale + 'px';
    element.style.height = control.height / scale + 'px';
    element.style.opacity = 0;
    typed.setAttribute('aria-label', control.name);
    if (same) return;
    controls.replaceChildren(element);
    if (had) element.focus({ preventScroll: true });
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
    const text = e.clipboardData.getData('text/plain');
    withFiles(text, function () { paste(text); });
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

  // All at once, so that what belongs together is opened together.
  function takeFiles(files) {
    Promise.all(Array.from(files, function (file) {
      return file.arrayBuffer().then(function (bytes) {
        return { path: '/files/' + file.name.replace(/[\/\0]/g, '_'), bytes: new Uint8Array(bytes) };
      });
    })).then(function (all) {
      for (const { path, bytes } of all) {
        Module.FS.writeFile(path, bytes);
        store(path, bytes);
      }
      send(all.map(function (one) { return one.path; }).join('\n'), function (at) { Module._posiscope_files(at); });
      happened();
    }, function (error) { console.warn('Posiscope: ' + error.message); });
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
    const script = bytesOf('vector/vector.js').then(function (text) {
      return Module.inside ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : addressOf('vector/vector.js');
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
    const tell = function (how) {
      send(name, function (text) { Module._posiscope_written(text, how); });
      happened();
    };
    written.then(function (bytes) {
      save(name, bytes);
      tell(1);
    }).catch(function (error) {
      console.warn('Posiscope: ' + error.message);
      tell(error.unfetched ? 2 : 0);
    });
  }

  // Large files of the program's own that lie beside the page, or inside it where it is one file. What was fetched is kept
  // once the service worker is there; what was not is asked for again, each time a little later, or when the network is back.
  const late = new Set(), kAgain = 2000, kAgainAtMost = 60000;  // ms
  function bytesOf(name) {
    if (Module.inside) return Promise.resolve(Module.inside(name));
    const address = addressOf(name);
    return fetch(address).then(function (answer) {
      if (!answer.ok) throw new Error(answer.status);
      return answer.arrayBuffer();
    }).then(function (buffer) {
      keepFetched(address);
      return new Uint8Array(buffer);
    }, function (error) { throw Object.assign(new Error(name + ': ' + error.message), { unfetched: true }); });
  }
  const fetched = new Set();
  function keepFetched(address) {
    fetched.add(address);
    if (pageKept) keepAllFetched();
  }
  function keepAllFetched() {
    navigator.serviceWorker.ready.then(function () { return caches.open('posiscope'); }).then(function (cache) {
      return Promise.all([...fetched].map(function (one) {
        fetched.delete(one);
        return cache.match(one).then(function (kept) { return kept || cache.add(one); });
      }));
    }).catch(function (error) { console.info('Posiscope: ' + error.message); });
  }
  function giveAsset(name, bytes) {
    const at = Module._malloc(bytes.length);
    Module.HEAPU8.set(bytes, at);
    send(name, function (text) { Module._posiscope_asset(text, at, bytes.length); });
    Module._free(at);
  }
  function fetchAsset(name) {
    if (!/^(fonts\/(chinese\.otf|all_symbols\.ttf)|(strings|experiments)\/[a-z_]+\.json)$/.test(name)) return false;
    if (!late.has(name)) tryAsset(name, kAgain);
    late.add(name);
    return true;
  }
  function tryAsset(name, pause) {
    bytesOf(name).then(function (bytes) {
      giveAsset(name, bytes);
      happened();
    }, function (error) {
      if (pause === kAgain) {
        console.info('Posiscope: ' + error.message);
        send(name, function (text) { Module._posiscope_asset_missed(text); });
        happened();
      }
      const again = function () {
        clearTimeout(waits);
        window.removeEventListener('online', again);
        tryAsset(name, Math.min(2 * pause, kAgainAtMost));
      };
      const waits = setTimeout(again, pause);
      window.addEventListener('online', again);
    });
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
  // What is large, files that were handed over and results, is in the browser's database, by path: their bytes, and beside
  // them {size, at}, so that only what is needed is read.
  const kLargest = 64 << 20, kMost = 256 << 20;  // bytes: of a file, of all of them
  const large = new Map();  // path: {size, at}
  let opening = null;
  function database() {
    if (alone) return Promise.resolve(null);
    if (!opening) opening = new Promise(function (resolve) {
      try {
        const asked = window.indexedDB.open('posiscope', 1);
        asked.onupgradeneeded = function () {
          asked.result.createObjectStore('files');
          asked.result.createObjectStore('sizes');
        };
        asked.onsuccess = function () { resolve(asked.result); };
        asked.onerror = asked.onblocked = function () { resolve(null); };
      } catch (refused) {
        resolve(null);
      }
    });
    return opening;
  }
  function inDatabase(mode, act) {
    return database().then(function (base) {
      return base && new Promise(function (resolve) {
        try {
          const transaction = base.transaction(['files', 'sizes'], mode);
          const request = act(transaction.objectStore('files'), transaction.objectStore('sizes'));
          transaction.oncomplete = function () { resolve(request && request.result); };
          transaction.onerror = transaction.onabort = function () { resolve(undefined); };
        } catch (refused) {
          resolve(undefined);
        }
      });
    });
  }
  function store(path, bytes) {
    if (alone || forgotten || bytes.length > kLargest) return;
    large.delete(path);
    let sum = bytes.length;
    const gone = [];
    for (const [other, { size }] of [...large].sort(function (a, b) { return b[1].at - a[1].at; })) {
      sum += size;
      if (sum > kMost) gone.push(other);
    }
    for (const other of gone) large.delete(other);
    large.set(path, { size: bytes.length, at: Date.now() });
    inDatabase('readwrite', function (files, sizes) {
      for (const other of gone) {
        files.delete(other);
        sizes.delete(other);
      }
      sizes.put(large.get(path), path);
      return files.put(bytes, path);
    });
  }
  // The files whose names are in a text, such as a scene or an address, and what was trained: they are there before `act`.
  function withFiles(text, act) {
    let plain = text;
    try {
      plain = decodeURIComponent(text);
    } catch (damaged) { /* as it is */ }
    const wanted = [...large.keys()].filter(function (path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return !Module.FS.analyzePath(path).exists && (path.startsWith('/kept/') || plain.includes(name));
    });
    if (wanted.length === 0) return act();
    return Promise.all(wanted.map(function (path) {
      return inDatabase('readonly', function (files) { return files.get(path); }).then(function (bytes) {
        if (bytes) Module.FS.writeFile(path, bytes);
      });
    })).then(act);
  }
  function listLarge() {
    return inDatabase('readonly', function (files, sizes) {
      sizes.openCursor().onsuccess = function (e) {
        const cursor = e.target.result;
        if (!cursor) return;
        large.set(cursor.key, cursor.value);
        cursor.continue();
      };
    });
  }
  const stored = new Map();
  function restore() {
    for (const folder of ['/kept/state/experiments', '/kept/config', '/files', '/downloads']) Module.FS.mkdirTree(folder);
    Module.FS.chdir('/files');
    if (alone) return;
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
  // Other tabs and the book keep progress in lessons in the same place: what they did meanwhile is taken over, step by step,
  // so that nobody's is lost.
  const kProgress = '/kept/state/lessons.json';
  function lessonsIn(text) {
    try {
      return JSON.parse(text).lessons || {};
    } catch (unreadable) {
      return {};
    }
  }
  function takeKept(path) {
    const text = storage(function (store) { return store.getItem(kept + path); });
    if (alone || forgotten || !text || text === stored.get(path)) return;
    const before = lessonsIn(stored.get(path)), now = lessonsIn(text), changed = {};
    stored.set(path, text);
    Module.FS.writeFile(path, text);
    if (path !== kProgress) return;
    for (const [lesson, steps] of Object.entries(now))
      for (const [step, one] of Object.entries(steps))
        if (JSON.stringify(one) !== JSON.stringify((before[lesson] || {})[step])) (changed[lesson] = changed[lesson] || {})[step] = one;
    send(JSON.stringify({ version: 1, lessons: changed }), function (at) { Module._posiscope_progress(at); });
    happened();
  }
  function takeAllKept() {
    for (const path of [kProgress, '/kept/config/preferences.json']) takeKept(path);
  }
  on(window, 'storage', takeAllKept);
  on(window, 'pageshow', takeAllKept);  // after it was put away, when it heard of nothing
  let forgotten = false;
  function keep(path) {
    if (alone || forgotten) return;
    const text = Module.FS.readFile(path, { encoding: 'utf8' });
    if (stored.get(path) === text) return;
    stored.set(path, text);
    if (path.startsWith('/kept/state/experiments/')) return store(path, new TextEncoder().encode(text));
    storage(function (store) { store.setItem(kept + path, text); });
  }
  function forget() {
    forgotten = true;
    const rest = inDatabase('readwrite', function (files, sizes) {
      files.clear();
      return sizes.clear();
    });
    storage(function (store) {
      for (let i = store.length - 1; i >= 0; --i)
        if (store.key(i).startsWith(kept)) store.removeItem(store.key(i));
    });
    history.replaceState(null, '', location.pathname + location.search);
    rest.then(function () { location.reload(); });
  }
  // Each entry of the browser's history knows its link, also the one that the page was opened with, and the language.
  let known = '';  // the hash that the program has; it is told of another one, just typed, soon
  function showLink(link, spoken, place) {
    if (small || location.hash !== known) return;
    const entry = history.state || {}, shown = location.hash || entry.link;
    if (place < 0 && (location.hash === '' || location.hash === link)) history.replaceState({ link, spoken }, '');
    else if (shown === link && entry.spoken === spoken) return;
    else if (place > 0) history.pushState({ link, spoken }, '', link);
    else history.replaceState({ link, spoken }, '', link);
    known = location.hash;
  }
  function followAddress() {
    known = location.hash;
    canvas.focus({ preventScroll: true });  // a changed address takes the focus away
    const entry = history.state || {}, link = location.hash || entry.link || '';
    if (entry.spoken) send(entry.spoken, function (at) { Module._posiscope_language(at); });
    withFiles(link, function () {
      send(address() + link, function (at) { Module._posiscope_link(at); });
      happened();
    });
  }
  // An entry of ours that is gone back to, or an address that somebody has typed.
  on(window, 'popstate', function () { if (history.state) followAddress(); });
  on(window, 'hashchange', function () { if (!history.state) followAddress(); });

  // --- The small form, for other people's pages -------------------------------------------------------------

  const sliders = new Map();
  function controlsNow() {
    return JSON.parse(send(query.get('controls') || '', function (keys) {
      return Module.UTF8ToString(Module._posiscope_controls(keys));
    }));
  }
  const kFine = 100;  // steps of a logarithmic slider for a power of ten
  function makeControls() {
    const strip = document.getElementById('strip');
    for (const control of controlsNow()) {
      const key = control.key;
      if (control.unknown) {
        const said = document.createElement('p');
        said.setAttribute('role', 'alert');
        said.textContent = control.unknown;
        strip.append(said);
        continue;
      }
      const label = document.createElement('label'), number = document.createElement('output');
      const input = document.createElement(control.choices ? 'select' : 'input');
      if (!control.choices) input.type = 'range';
      const valueOf = function () {
        return control.logarithmic ? String(Number(Math.pow(10, input.value / kFine).toPrecision(3))) : input.value;
      };
      input.addEventListener('input', function () {
        send(key, function (at) { send(valueOf(), function (value) { Module._posiscope_set(at, value); }); });
        happened();
      });
      label.append(control.name, input);
      if (!control.choices) label.append(number);
      strip.append(label);
      sliders.set(key, { input, number, valueOf, choices: '' });
    }
    strip.hidden = strip.childElementCount === 0;
    followControls();
  }
  function followControls() {
    for (const { key, value, minimum, maximum, step, logarithmic, choices } of sliders.size > 0 ? controlsNow() : []) {
      if (!sliders.has(key)) continue;
      const own = sliders.get(key), { input, number, valueOf } = own;
      if (choices) {
        if (own.choices !== JSON.stringify(choices))
          input.replaceChildren(...choices.map(function (one) { return new Option(one.name, one.value); }));
        own.choices = JSON.stringify(choices);
        if (input.value !== String(value)) input.value = value;
        continue;
      }
      const scaled = function (x) { return logarithmic ? Math.round(kFine * Math.log10(x)) : x; };
      input.min = scaled(minimum);
      input.max = scaled(maximum);
      input.step = logarithmic ? 1 : step;
      if (Number(valueOf()) !== value) input.value = scaled(value);
      number.textContent = String(value).replace('-', '\u2212');
    }
  }
  // The page around may follow what the figure needs: app/web/README.md.
  const kShape = query.get('figure') ? 460 / 640 : 740 / 1240;
  let asked = 0;
  function askForHeight() {
    if (!embedded) return;
    const strip = document.getElementById('strip');
    const height = Math.round(canvas.clientWidth * kShape) + strip.offsetHeight;
    if (height !== asked) window.parent.postMessage({ posiscope: 'height', height }, '*');
    asked = height;
  }
  function heedTheme() {
    if (!query.has('theme')) return;
    send(askedTheme(), function (at) { Module._posiscope_theme(at); });
    happened();
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
  function placeText(wanted, x, y, line, keys) {
    typed.inputMode = ['text', 'decimal'][keys];
    const box = canvas.getBoundingClientRect();
    typed.style.left = box.left + x / scale + 'px';
    typed.style.top = box.top + y / scale + 'px';
    typed.style.height = Math.max(line, 1) / scale + 'px';
    const own = document.activeElement === canvas || controls.contains(document.activeElement);
    if (wanted && own) typed.focus({ preventScroll: true });
    if (!wanted && document.activeElement === typed) canvas.focus({ preventScroll: true });
  }
  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(function () {});
  }
  // The paper has the figures in light colours on white.
  function layPaper() {
    const at = opened ? Module._posiscope_paper() : 0;
    if (!at) return;
    const heap = Module.HEAPU8.buffer, [w, h] = new Int32Array(heap, at, 2);
    const paper = document.createElement('canvas');
    paper.id = 'paper';
    paper.width = w;
    paper.height = h;
    paper.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(heap.slice(at + 8, at + 8 + 4 * w * h)), w, h), 0, 0);
    canvas.parentNode.append(paper);
    document.body.classList.add('printed');
  }
  on(window, 'beforeprint', layPaper);
  on(window, 'afterprint', function () {
    const paper = document.getElementById('paper');
    if (paper) paper.remove();
    document.body.classList.remove('printed');
  });
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  function heedMotion() {
    Module._posiscope_calm(still.matches ? 1 : 0);
    happened();
  }
  function dress(spoken, ground) {
    language = document.documentElement.lang = spoken;
    document.body.style.background = ground;
    document.body.classList.toggle('light', parseInt(ground.slice(1, 3), 16) > 127);
    document.querySelector('meta[name="theme-color"]').content = ground;
    canvas.setAttribute('aria-label', sentence('controls'));
    description.setAttribute('aria-label', sentence('figures'));
  }
  // The step of a lesson as text beside the canvas: what stays is left as it is, so that only what is new is read.
  const kSigns = { omega: 'ω', phi: 'φ', Delta: 'Δ', pi: 'π', lambda: 'λ', theta: 'θ', beta: 'β', cdot: '·', sum: 'Σ' };
  function spelt(formula) {
    return formula.replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, '($1)/($2)').replace(/\\matrix\{(.*)\}/, '[$1]')
      .replace(/\\\\/g, '; ').replace(/&/g, ', ').replace(/\\text\{([^{}]*)\}/g, '$1')
      .replace(/\\([A-Za-z]+) ?/g, function (all, name) { return kSigns[name] || name + ' '; }).replace(/\\,/g, ' ').replace(/[{}]/g, '');
  }
  const lesson = document.getElementById('lesson');
  function showLesson(step) {
    lesson.hidden = !step;
    if (!step) return;
    const put = function (id, text) {
      const element = document.getElementById('lesson-' + id);
      element.hidden = !text;
      if (element.textContent !== text) element.textContent = text;
    };
    put('title', step.title + ', ' + step.step);
    put('text', step.text);
    put('formula', spelt(step.formula));
    put('question', step.question);
    put('goal', step.goal);
    put('verdict', step.verdict);
    const list = document.getElementById('lesson-choices');
    list.hidden = step.choices.length === 0;
    list.replaceChildren(...step.choices.map(function (choice) {
      const item = document.createElement('li');
      item.textContent = choice.text + (choice.taken ? ' (' + choice.taken + ')' : '');
      return item;
    }));
    putBookLink(document.getElementById('lesson-book'), step.id, step.book);
  }
  // A telephone has no keys: a tap while presenting shows what goes on, back and out of it, for a while.
  const barBelow = document.getElementById('presenting');
  let bar_words = null, bar_hides = 0;
  function showBar() {
    barBelow.hidden = false;
    clearTimeout(bar_hides);
    bar_hides = setTimeout(function () { barBelow.hidden = true; }, 4000);
  }
  for (const button of barBelow.children)
    button.addEventListener('click', function () {
      const code = button.dataset.key;
      for (const down of [1, 0])
        send(code, function (at) { Module._posiscope_key(at, at, down, 0); });
      happened();
      if (bar_words) showBar();
      canvas.focus({ preventScroll: true });
    });
  let own_screen = false;  // which a lecture has asked for
  function presenting(words) {
    bar_words = words;
    if (!words) {
      barBelow.hidden = true;
      if (own_screen && document.fullscreenElement) document.exitFullscreen();
      own_screen = false;
      return;
    }
    for (const button of barBelow.children) button.textContent = words[button.dataset.says];
    own_screen = !embedded && !document.fullscreenElement && !!document.documentElement.requestFullscreen;
    if (own_screen) document.documentElement.requestFullscreen().catch(function () { own_screen = false; });
  }
  // Escape leaves the full screen before the page hears of it: it leaves the lecture too.
  on(document, 'fullscreenchange', function () {
    if (document.fullscreenElement || !own_screen) return;
    own_screen = false;
    if (!bar_words) return;
    for (const down of [1, 0])
      send('Escape', function (at) { Module._posiscope_key(at, at, down, 0); });
    happened();
  });
  // Where the program's controls and handles stand, by name, in CSS pixels: for tests.
  function places() {
    const { scale: pixels, places } = JSON.parse(Module.UTF8ToString(Module._posiscope_places()));
    const box = canvas.getBoundingClientRect(), found = {};
    for (const [name, [x0, y0, x1, y1]] of Object.entries(places))
      found[name] = { x: box.left + x0 * pixels / scale, y: box.top + y0 * pixels / scale, width: (x1 - x0) * pixels / scale, height: (y1 - y0) * pixels / scale };
    happened();
    return found;
  }
  const description = document.getElementById('description');
  function describe(text) { description.textContent = text; }
  function notify(text) { document.getElementById('notices').textContent = text; }
  function address() { return location.href.split('#')[0]; }

  // The scene and what is kept outlive a lost context: the page begins anew with them, by itself if the context comes back.
  canvas.addEventListener('webglcontextlost', function (e) {
    e.preventDefault();
    opened = false;
    setTimeout(function () { stop('lost'); }, 1000);
  });
  canvas.addEventListener('webglcontextrestored', function () { location.reload(); });

  function spoken() {
    let chosen = '';
    try {
      if (!alone) chosen = JSON.parse(localStorage.getItem(kept + '/kept/config/preferences.json')).language;
    } catch (none) { /* or refused, or damaged, which the program says */ }
    return chosen || (/^zh/.test(navigator.language) ? 'zh' : 'en');
  }
  let language = '';  // once the program has one
  function inChinese() { return (language || query.get('lang') || spoken()) === 'zh'; }
  // A page that was not asked to be Chinese may be so by what is kept; it begins with its font and its texts, so that its
  // first picture has no boxes.
  const needed = inChinese() ? ['fonts/chinese.otf', 'strings/zh.json'] : [];
  let had = 0;
  function count(name) {
    return function (answer) {
      if (!answer.ok) throw new Error(name + ' (' + answer.status + ')');
      if (answer.body) watch(answer.clone().body.getReader());
      return answer;  // as it came, or the browser would not keep what it compiles of it
    };
  }
  function watch(reader) {
    const all = needed.concat('posiscope.wasm').reduce(function (sum, one) { return sum + (built[one] || { bytes: 0 }).bytes; }, 0);
    reader.read().then(function ({ done, value }) {
      if (done) return;
      had += value.length;
      if (all > 0) bar.value = Math.min(had / all, 1);
      watch(reader);
    }, function () {});  // which `unfetched` says
  }
  function load(name) {
    if (Module.inside) return Module.inside(name);
    return fetch(addressOf(name), { credentials: 'same-origin' }).then(count(name), function (error) {
      throw new Error(name + ' (' + error.message + ')');
    });
  }
  function bytesIn(answer) {
    return answer instanceof Uint8Array ? answer : answer.arrayBuffer().then(function (buffer) { return new Uint8Array(buffer); });
  }
  const loading = canRun() ? needed.map(function (name) { return Promise.resolve(load(name)).then(bytesIn); }) : [];
  const program = canRun() ? Promise.resolve(load('posiscope.wasm')) : null;
  for (const one of [program, ...loading]) if (one) one.catch(unfetched);
  if (!program) stop('browser');
  // Made while the program is on its way, as it can take as long; the program finds it (main.cpp has the same wishes).
  else setTimeout(function () {
    canvas.getContext('webgl2', { alpha: false, depth: false, stencil: false, antialias: false, preserveDrawingBuffer: true });
  });

  function instantiate(imports, receive) {
    if (!program) return {};
    program.then(function (answer) {
      if (answer instanceof Uint8Array) return WebAssembly.instantiate(answer, imports);
      if (answer.headers.get('Content-Type') === 'application/wasm') return WebAssembly.instantiateStreaming(answer, imports);
      return answer.arrayBuffer().then(function (bytes) { return WebAssembly.instantiate(bytes, imports); });
    }).then(function (made) { receive(made.instance, made.module); }, fail);
    return {};
  }
  // Once nothing else is to be done: the next visit needs no network.
  let pageKept = false;
  function keepPage() {
    if (pageKept || embedded || Module.inside || !navigator.serviceWorker) return;
    pageKept = true;
    navigator.serviceWorker.register('worker.js').catch(function (error) { console.info('Posiscope: ' + error.message); });
    for (const name of needed) fetched.add(addressOf(name));
    keepAllFetched();
  }

  function open() {
    const session = stored.get('/kept/state/session.json') || '';
    const files = listLarge().then(function () { return withFiles(session + location.hash, function () {}); });
    const brought = Promise.all(given.map(function (name) {
      return Promise.resolve(load('given/' + name)).then(bytesIn).then(function (bytes) { Module.FS.writeFile('/files/' + name, bytes); });
    }));
    brought.catch(unfetched);
    Promise.all([files, brought, ...loading]).then(function ([, , ...files]) {
      files.forEach(function (bytes, i) { giveAsset(needed[i], bytes); });
      begin();
    }).catch(fail);
  }
  function begin() {
    const asked = query.get('lang') || (/^zh/.test(navigator.language) ? 'zh' : 'en');
    const refused = send(asked, function (lang) {
      return send(location.href, function (at) {
        if (!small) return Module._posiscope_open(lang, at, 0);
        return send(query.get('figure') || '', function (figure) { return Module._posiscope_open(lang, at, figure); });
      });
    });
    if (refused) {
      const key = Module.UTF8ToString(refused);
      return key === 'gl.page' ? stop('gl') : fail(key);
    }
    opened = true;
    known = location.hash;
    takeAllKept();
    still.addEventListener('change', heedMotion);
    heedMotion();
    darkness.addEventListener('change', heedTheme);
    heedTheme();
    if (small) {
      makeControls();
      askForHeight();
      new ResizeObserver(askForHeight).observe(document.body);
    }
    if (!embedded) canvas.focus({ preventScroll: true });
    happened();
  }

  return { open, restore, instantiate, counts, touch, small, places, address, copyText, copyPicture, pictureCopied, readClipboard, chooseFiles:
    function () { chooser.click(); }, download, writeVector, keep, forget, fullScreen, showLink, showLesson, presenting, placeText, setCursor, fetchAsset, dress, describe, showControl, notify, fail };
})();
window.posiscope = Module.page;  // for people who look behind it, and for tests
Module.canvas = document.getElementById('canvas');
Module.instantiateWasm = Module.page.instantiate;
Module.onAbort = function (why) { Module.page.fail(String(why)); };
Module.preRun = [function () { Module.page.restore(); }];
Module.onRuntimeInitialized = function () { Module.page.open(); };
// The program follows.
