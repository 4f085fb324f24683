// worker.js — around the second module (main.cpp), in a worker that lives for one file: the page sends the program, what it
// has fetched, the files that were opened and what is wanted; the file goes back, or why there is none.
const asked = new Promise(function (resolve) {
  self.onmessage = function (message) { resolve(message.data); };
});
Module.instantiateWasm = function (imports, done) {
  asked.then(function (page) { return WebAssembly.instantiate(page.program, imports); })
    .then(function (made) { done(made.instance, made.module); })
    .catch(function (error) { self.postMessage({ why: String(error) }); });
  return {};
};
Module.onRuntimeInitialized = function () {
  function send(text, call) {
    const bytes = new TextEncoder().encode(text + '\0'), at = Module._malloc(bytes.length);
    HEAPU8.set(bytes, at);
    const result = call(at);
    Module._free(at);
    return result;
  }
  asked.then(function (page) {
    page.assets.forEach(function (asset) {
      const size = asset.bytes.length, at = Module._malloc(size);
      HEAPU8.set(asset.bytes, at);
      send(asset.name, function (text) { Module._posiscope_asset(text, at, size); });
      Module._free(at);
    });
    FS.mkdirTree('/files');
    page.files.forEach(function (file) {
      FS.writeFile(file.path, file.bytes);
      send(file.path, function (text) { Module._posiscope_allow(text); });
    });
    const why = send(page.request, function (text) { return Module._posiscope_write(text); });
    if (why) throw new Error(UTF8ToString(why));
    const made = FS.readFile('/made');
    self.postMessage({ bytes: made }, [made.buffer]);
  }).catch(function (error) { self.postMessage({ why: String(error) }); });
};
