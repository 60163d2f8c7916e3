// Runs smart select beside the page. The page names the compiled program in the address of this script.
importScripts("/wasm_exec.js");
(async () => {
  const program = new URLSearchParams(location.search).get("program") || "";
  if (!/^\/web\/select\.[0-9a-f]+\.wasm$/.test(program)) throw new Error("no program: " + program);
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch(program, { credentials: "same-origin" }), go.importObject);
  await go.run(instance);
})().catch((e) => postMessage({ kind: "failed", error: String(e) }));
