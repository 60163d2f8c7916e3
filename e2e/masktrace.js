// Measures a painter of masks in the page, and the plainest one a page can have: strokes on a canvas. Both get the same gestures.
(() => {
  const frame = () => new Promise(requestAnimationFrame);
  const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))] ?? 0;
  const find = (name) => document.querySelector(`[data-testid="${name}"]`);
  const stage = document.getElementById("stage");

  // watch answers with the longest time in which nothing else had its turn.
  const watch = () => {
    let last = performance.now(), most = 0, on = true;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const now = performance.now();
      most = Math.max(most, now - last);
      last = now;
      if (on) channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
    return () => {
      on = false;
      return Math.max(most, performance.now() - last);
    };
  };

  // measure does work and tells how long it took and how long the page stood still for it.
  const measure = async (work) => {
    await frame();
    await frame();
    const stop = watch(), begin = performance.now();
    await work();
    const ms = performance.now() - begin;
    await frame();
    await frame();
    return { ms, stall: stop() };
  };

  // along is the path of a stroke: a spiral within the stage.
  const along = (i, n) => {
    const r = stage.getBoundingClientRect(), t = i / n, turn = t * 40, reach = Math.min(r.width, r.height) * (0.06 + 0.36 * t);
    return { x: r.x + r.width / 2 + reach * Math.cos(turn), y: r.y + r.height / 2 + reach * Math.sin(turn) };
  };

  // gesture sends n events, four a frame.
  const gesture = async (n, send) => {
    const took = [], frames = [];
    let last = await frame();
    for (let i = 0; i < n;) {
      for (let k = 0; k < 4 && i < n; k++, i++) {
        const begin = performance.now();
        send(i);
        took.push(performance.now() - begin);
      }
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), max: Math.max(...took), frame: quantile(frames, 0.95) };
  };

  const move = (target, at) => target.dispatchEvent(new PointerEvent("pointermove", {
    bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", isPrimary: true, button: -1, buttons: 1, clientX: at.x, clientY: at.y,
  }));
  const key = (name, options) => document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, key: name, ...options }));

  // worked waits until something is done to the mask, and then until it is over. It says whether anything was.
  const worked = async (before) => {
    const turn = () => new Promise((done) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    });
    const since = performance.now();
    while (!find("mask-work") && find("kept")?.textContent === before) {
      if (performance.now() - since > 20000) return false;
      await turn();
    }
    while (find("mask-work")) await turn();
    return true;
  };

  // ours is the studio's painter; a pointer is already down where a stroke begins.
  const ours = {
    stroke: (n) => gesture(n, (i) => move(stage, along(i, n))),
    undo: async (steps) => {
      const took = [];
      const { stall } = await measure(async () => {
        for (const again of [{}, { shiftKey: true }]) {
          for (let i = 0; i < steps; i++) {
            const begin = performance.now();
            key("z", { ctrlKey: true, ...again });
            took.push(performance.now() - begin);
            await frame();
            await frame();
          }
        }
      });
      return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), max: Math.max(...took), stall };
    },
    zoom: async (n) => {
      const r = stage.getBoundingClientRect();
      const stop = watch();
      const g = await gesture(4 * n, (i) => i % 4 === 0 && stage.dispatchEvent(new WheelEvent("wheel", {
        bubbles: true, cancelable: true, ctrlKey: true, deltaY: (i / 4) % 40 < 20 ? -12 : 12, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2,
      })));
      return { ...g, stall: stop() };
    },
    // The press and the release come from outside; what is measured begins with one of them.
    begin: (event) => {
      const before = find("kept")?.textContent;
      ours.pending = new Promise((done) => addEventListener(event, async () => {
        const stop = watch(), begin = performance.now();
        const ms = await worked(before) ? performance.now() - begin : 0;
        await frame();
        done({ ms, stall: stop() });
      }, { capture: true, once: true }));
      return true;
    },
    end: () => ours.pending,
    save: async (button) => {
      const real = URL.createObjectURL;
      let bytes = 0, at = 0;
      URL.createObjectURL = (blob) => {
        bytes = blob.size;
        ours.file = blob;
        at = performance.now();
        return real.call(URL, blob);
      };
      try {
        let begin = 0;
        const { stall } = await measure(async () => {
          begin = performance.now();
          find(button).click();
          while (!at && performance.now() - begin < 10000) await frame();
        });
        return { ms: at - begin, bytes, stall };
      } finally {
        URL.createObjectURL = real;
      }
    },
  };

  // plain is strokes on a canvas of the picture's size, shown on one of the stage's.
  const plain = {
    open: (side) => {
      if (plain.view) return true;
      const r = stage.getBoundingClientRect();
      plain.view = document.createElement("canvas");
      plain.view.width = r.width;
      plain.view.height = r.height;
      plain.view.style.cssText = `position:fixed;z-index:9999;left:${r.x}px;top:${r.y}px`;
      document.body.append(plain.view);
      plain.mask = document.createElement("canvas");
      plain.mask.width = plain.mask.height = side;
      plain.before = document.createElement("canvas");
      plain.before.width = plain.before.height = side;
      plain.side = side;
      plain.view.addEventListener("pointermove", plain.draw);
      return true;
    },
    // look sets how large a pixel of the picture is shown, around the middle.
    look: (scale, brush) => {
      plain.scale = scale;
      plain.brush = brush;
      plain.x = (plain.view.width - plain.side * scale) / 2;
      plain.y = (plain.view.height - plain.side * scale) / 2;
      plain.last = null;
      return true;
    },
    draw: (e) => {
      const r = plain.view.getBoundingClientRect();
      const at = { x: (e.clientX - r.x - plain.x) / plain.scale, y: (e.clientY - r.y - plain.y) / plain.scale };
      const c = plain.mask.getContext("2d");
      c.lineWidth = plain.brush / plain.scale;
      c.lineCap = "round";
      c.beginPath();
      c.moveTo((plain.last ?? at).x, (plain.last ?? at).y);
      c.lineTo(at.x, at.y);
      c.stroke();
      plain.last = at;
      plain.show();
    },
    show: () => {
      if (plain.scheduled) return;
      plain.scheduled = true;
      requestAnimationFrame(() => {
        plain.scheduled = false;
        const c = plain.view.getContext("2d"), { width, height } = plain.view;
        c.globalCompositeOperation = "source-over";
        c.clearRect(0, 0, width, height);
        c.drawImage(plain.mask, plain.x, plain.y, plain.side * plain.scale, plain.side * plain.scale);
        c.globalCompositeOperation = "source-in";
        c.fillStyle = "rgba(0,164,148,.45)";
        c.fillRect(0, 0, width, height);
      });
    },
    stroke: (n) => gesture(n, (i) => move(plain.view, along(i, n))),
    // Undo by copies of the whole canvas, as small painters do it.
    undo: async (steps) => {
      const took = [];
      const { stall } = await measure(async () => {
        for (let i = 0; i < 2 * steps; i++) {
          const begin = performance.now();
          const c = plain.before.getContext("2d");
          c.clearRect(0, 0, plain.side, plain.side);
          c.drawImage(plain.mask, 0, 0);
          [plain.mask, plain.before] = [plain.before, plain.mask];
          plain.show();
          took.push(performance.now() - begin);
          await frame();
          await frame();
        }
      });
      return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), max: Math.max(...took), stall };
    },
    zoom: async (n) => {
      const stop = watch();
      const g = await gesture(4 * n, (i) => {
        if (i % 4) return;
        plain.look(plain.scale * ((i / 4) % 40 < 20 ? 1.12 : 1 / 1.12), plain.brush);
        plain.show();
      });
      return { ...g, stall: stop() };
    },
    // The wand in plain JavaScript: a flood by rows over the picture's own pixels, read before.
    wand: async (src, tolerance) => {
      const bitmap = await createImageBitmap(await (await fetch(src)).blob());
      const side = plain.side, source = document.createElement("canvas");
      source.width = source.height = side;
      const c = source.getContext("2d", { willReadFrequently: true });
      c.drawImage(bitmap, 0, 0);
      const pixels = c.getImageData(0, 0, side, side).data;
      return measure(async () => {
        const start = 4 * (side / 2 * side + side / 2), out = new Uint8ClampedArray(4 * side * side), stack = [[side / 2, side / 2]];
        const near = (i) => !out[i + 3] && Math.abs(pixels[i] - pixels[start]) <= tolerance && Math.abs(pixels[i + 1] - pixels[start + 1]) <= tolerance &&
          Math.abs(pixels[i + 2] - pixels[start + 2]) <= tolerance;
        while (stack.length) {
          let [x, y] = stack.pop();
          if (!near(4 * (y * side + x))) continue;
          while (x > 0 && near(4 * (y * side + x - 1))) x--;
          let above = false, below = false;
          for (; x < side && near(4 * (y * side + x)); x++) {
            out[4 * (y * side + x) + 3] = 255;
            const up = y > 0 && near(4 * ((y - 1) * side + x)), down = y < side - 1 && near(4 * ((y + 1) * side + x));
            if (up && !above) stack.push([x, y - 1]);
            if (down && !below) stack.push([x, y + 1]);
            above = up;
            below = down;
          }
        }
        plain.mask.getContext("2d").putImageData(new ImageData(out, side, side), 0, 0);
        plain.show();
      });
    },
    // save exports the mask the studio exported before.
    save: async () => {
      let bytes = 0;
      const bitmap = await createImageBitmap(ours.file), c = plain.mask.getContext("2d");
      c.clearRect(0, 0, plain.side, plain.side);
      c.drawImage(bitmap, 0, 0);
      const took = await measure(async () => {
        const blob = await new Promise((done) => plain.mask.toBlob(done));
        bytes = blob.size;
        await new Promise((done) => {
          const reader = new FileReader();
          reader.onload = done;
          reader.readAsDataURL(blob);
        });
      });
      return { ...took, bytes };
    },
    close: () => {
      plain.view?.remove();
      plain.view = plain.mask = plain.before = null;
      return true;
    },
  };
  window.maskTrace = { ours, plain };
  return true;
})()
