/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explorer.html: rho at a point, the region around it and a run, by the library's code in the page (bench/explorer/explorer.h). */
'use strict';
(function () {
  const form = document.querySelector('form.explorer');
  const offer = JSON.parse(form.dataset.offer);
  const NODES = 61, LEVEL = 1 + 1e-10, TEXT = 512;
  const axes = { x: { at: 'step-size' }, y: { at: 'step-size' } };
  let lib = null, explorer = 0, taken = 0, model = null, values = [], step = 0, rho = NaN, why = '';
  /* rho at nodes; of edges to the right and upwards of these, where they cross the boundary; NaN: not known yet, or there is none. */
  const all = NODES * NODES, region = { rho: new Float64Array(all), right: new Float64Array(all), up: new Float64Array(all), started: 0 };
  let rows = null, width = 1;

  function says(name, text) { form.querySelector('[data-says=' + name + ']').textContent = text; }
  function short(v, digits) { return String(Number(v.toPrecision(digits || 4))); }
  function unit(u) { return u === '1' ? '' : ' ' + u; }

  /* The library ----------------------------------------------------------------------------------------- */

  async function load() {
    const code = atob(document.getElementById('code').textContent.trim());
    const module = await WebAssembly.compile(Uint8Array.from(code, function (c) { return c.charCodeAt(0); }));
    const imports = {};
    WebAssembly.Module.imports(module).forEach(function (i) {
      imports[i.module] = imports[i.module] || {};
      imports[i.module][i.name] = i.module === 'env' || i.name === 'proc_exit'
        ? function () { throw new Error(i.name + ' is not in this page'); } : function () { return 0; };
    });
    lib = (await WebAssembly.instantiate(module, imports)).exports;
    lib._initialize();
    explorer = lib.ms_explorer_open();
  }

  function tell(text) {
    new Uint8Array(lib.memory.buffer, lib.ms_explorer_text(explorer), TEXT).set(new TextEncoder().encode(text + '\0'));
  }

  function told() {
    const bytes = new Uint8Array(lib.memory.buffer, lib.ms_explorer_text(explorer), TEXT);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))).replaceAll('`', '');
  }

  function radius(all, h) {
    if (all.length !== taken)
      throw new Error('values of another model');
    new Float64Array(lib.memory.buffer, lib.ms_explorer_values(explorer), all.length).set(all);
    return lib.ms_explorer_radius(explorer, h);
  }

  /* Model and scheme ------------------------------------------------------------------------------------ */

  /* Those options that the scheme knows. */
  function options() {
    const scheme = offer.schemes.find(function (s) { return s.name === form.scheme.value; });
    return ['extrapolation-order', 'outputs'].filter(function (name) {
      form[name].disabled = !scheme[name];
      return scheme[name] && form[name].selectedIndex > 0;
    });
  }

  function choose() {
    const set = ['scheme'].concat(options());
    tell(model.name);
    taken = lib.ms_explorer_model(explorer);
    set.forEach(function (name) {
      tell(name + '=' + form[name].value);
      lib.ms_explorer_option(explorer);
    });
  }

  function parameter(name) {
    return name === 'step-size' ? { name: 'step-size', label: 'macro-step H', unit: 's', value: model.step_size, min: 0, max: null }
      : model.parameters.find(function (p) { return p.name === name; });
  }

  function valueAt(name) {
    return name === 'step-size' ? step : values[model.parameters.findIndex(function (p) { return p.name === name; })];
  }

  function put(all, name, v) {
    if (name !== 'step-size')
      all[model.parameters.findIndex(function (p) { return p.name === name; })] = v;
  }

  /* Decades around what can only be positive, else a stretch around the value. */
  function scale(p, v) {
    const wide = p.name === 'step-size' ? [10, 200] : [30, 30];
    const log = p.min !== null && p.min >= 0 && v > 0, most = p.max === null ? Infinity : p.max, least = p.min === null ? -Infinity : p.min;
    const half = Math.max(4, 2 * Math.abs(v));
    return log ? { log: log, from: Math.max(least, v / wide[0]), to: Math.min(most, v * wide[1]) }
      : { log: log, from: Math.max(least, v - half), to: Math.min(most, v + half) };
  }

  function there(s, v) { return s.log ? Math.log(v / s.from) / Math.log(s.to / s.from) : (v - s.from) / (s.to - s.from); }
  function back(s, share) { return s.log ? s.from * Math.pow(s.to / s.from, share) : s.from + share * (s.to - s.from); }
  function label(p) { return (p.label || p.name) + (p.unit === '1' ? '' : ' / ' + p.unit); }

  function takeModel() {
    model = offer.models.find(function (m) { return m.name === form.model.value; });
    values = model.parameters.map(function (p) { return p.value; });
    step = model.step_size;
    const real = model.parameters.filter(function (p) { return !p.integer; });
    ['x', 'y'].forEach(function (axis) {
      form[axis].replaceChildren(new Option('macro-step H', 'step-size'));
      real.forEach(function (p) { form[axis].add(new Option(p.name + ' (' + p.summary + ')', p.name)); });
    });
    const plane = real.length > 1 && real[0].min === null && real[1].min === null;
    form.x.value = plane ? real[0].name : 'step-size';
    form.y.value = plane ? real[1].name : real[0].name;
    form.state.replaceChildren();
    model.states.forEach(function (s, k) { form.state.add(new Option(s.name, k)); });
    says('summary', model.summary);
    takeAxes();
    region.started++; /* a map that is under way would hand this model's values to the one before */
    choose();
  }

  function takeAxes() {
    ['x', 'y'].forEach(function (axis) {
      axes[axis] = { at: form[axis].value, scale: scale(parameter(form[axis].value), valueAt(form[axis].value)) };
      show(axis);
    });
  }

  function show(axis) {
    const v = valueAt(axes[axis].at), p = parameter(axes[axis].at);
    const slide = form[axis + '-slide'];
    form[axis + '-value'].value = v;
    slide.value = Math.round(1000 * there(axes[axis].scale, v));
    slide.setAttribute('aria-label', 'drag, or arrow keys: ' + (p.label || p.name));
    slide.setAttribute('aria-valuetext', short(v) + unit(p.unit));
    form[axis + '-value'].setAttribute('aria-label', 'value: ' + label(p));
  }

  function move(axis, v) {
    const p = parameter(axes[axis].at), least = p.name === 'step-size' ? Number.MIN_VALUE : p.min;
    if (!Number.isFinite(v) || (least !== null && v < least) || (p.max !== null && v > p.max))
      return false;
    if (p.name === 'step-size')
      step = v;
    else
      put(values, p.name, v);
    const s = axes[axis].scale, share = there(s, v);
    if (share >= -1e-9 && share <= 1 + 1e-9)
      return false;
    axes[axis].scale = scale(p, v);
    return true;
  }

  /* Computing ------------------------------------------------------------------------------------------- */

  function point() {
    try {
      rho = radius(values, step);
      why = Number.isNaN(rho) ? told() : '';
      const n = lib.ms_explorer_run(explorer, step, Math.max(model.stop_time, 30 * step));
      width = 1 + model.states.length;
      rows = n > 0 ? new Float64Array(lib.memory.buffer, lib.ms_explorer_rows(explorer), n * width).slice() : null;
      says('run', runText(n, told()));
    } catch (error) {
      rho = NaN;
      rows = null;
      why = error.message;
      says('run', '');
    }
    const out = form.rho, word = Number.isNaN(rho) ? '' : rho > 1 + 1e-8 ? 'unstable' : rho < 1 - 1e-8 ? 'stable' : 'at the limit';
    out.value = Number.isNaN(rho) ? 'no rho here: ' + why : 'rho = ' + rho.toPrecision(9) + ': ' + word;
    out.className = word === 'stable' ? 'good' : word === 'unstable' ? 'bad' : 'open';
    out.dataset.rho = String(rho);
    says('command', command());
    drawRun();
    drawRegion();
  }

  function runText(n, message) {
    return n < 0 ? message : form.state.selectedOptions[0].text + ' at ' + (n - 1) + ' communication points, macro-steps of ' +
      short(step) + ' s.' + (message === '' ? '' : ' The run ends early: ' + message + '.');
  }

  function command() {
    const words = ['macrostep spectral', model.name].concat(['scheme'].concat(options()).map(function (o) { return '--' + o + ' ' + form[o].value; }));
    model.parameters.forEach(function (p, k) {
      if (values[k] !== p.value)
        words.push('--set ' + p.name + '=' + values[k]);
    });
    return words.concat('--step-size ' + step).join(' ');
  }

  /* rho somewhere in the picture, both from 0 to 1; NaN where there is none. */
  function rhoAt(x, y, right, up) {
    const there = values.slice(), v = [back(x.scale, right), back(y.scale, up)];
    put(there, x.at, v[0]);
    put(there, y.at, v[1]);
    try {
      return radius(there, x.at === 'step-size' ? v[0] : y.at === 'step-size' ? v[1] : step);
    } catch (error) {
      return NaN;
    }
  }

  /* The edge from node (i, j) by (di, dj) is halved until the boundary is known to a 64th of it. */
  function sharpen(x, y, i, j, di, dj) {
    const k = j * NODES + i, from = region.rho[k] > LEVEL, to = region.rho[(j + dj) * NODES + i + di] > LEVEL;
    let low = 0, high = 1;
    while (from !== to && high - low > 1 / 64) {
      const middle = (low + high) / 2;
      if ((rhoAt(x, y, (i + di * middle) / (NODES - 1), (j + dj * middle) / (NODES - 1)) > LEVEL) === from)
        low = middle;
      else
        high = middle;
    }
    (di ? region.right : region.up)[k] = from === to ? NaN : (low + high) / 2;
  }

  /* Nodes, then edges, a few rows at a time, so that the page goes on. */
  function map() {
    const own = ++region.started, x = { ...axes.x }, y = { ...axes.y };
    [region.rho, region.right, region.up].forEach(function (list) { list.fill(NaN); });
    let row = 0;
    function one() {
      for (let i = 0, j = row % NODES; i < NODES; i++)
        if (row < NODES) {
          region.rho[j * NODES + i] = rhoAt(x, y, i / (NODES - 1), j / (NODES - 1));
        } else {
          if (i + 1 < NODES)
            sharpen(x, y, i, j, 1, 0);
          if (j + 1 < NODES)
            sharpen(x, y, i, j, 0, 1);
        }
    }
    function some() {
      const end = performance.now() + 20;
      for (; own === region.started && row < 2 * NODES && performance.now() < end; row++)
        one();
      if (own !== region.started)
        return;
      drawRegion();
      if (row < 2 * NODES)
        setTimeout(some, 0);
      else
        form.dataset.mapped = own;
    }
    delete form.dataset.mapped;
    some();
  }

  /* Pictures -------------------------------------------------------------------------------------------- */

  function begin(name) {
    const canvas = form.querySelector('canvas[data-picture=' + name + ']'), css = getComputedStyle(document.documentElement);
    const w = Math.max(200, canvas.clientWidth), h = Math.round(0.72 * w), ratio = window.devicePixelRatio || 1;
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    c.font = '13px system-ui, "DejaVu Sans", sans-serif';
    return { canvas: canvas, c: c, colour: function (k) { return css.getPropertyValue('--' + k).trim(); },
      left: 66, top: 10, w: w - 78, h: h - 58 };
  }

  function ticks(s, most) {
    const list = [];
    if (s.log) {
      const decades = Math.log10(s.to / s.from), all = decades < 1.5 ? [1, 2, 5] : [1];
      for (let k = Math.floor(Math.log10(s.from)); k <= Math.log10(s.to); k++)
        all.forEach(function (m) { list.push(Number(m + 'e' + k)); });
    } else {
      const raw = (s.to - s.from) / most, ten = Math.pow(10, Math.floor(Math.log10(raw)));
      const by = ten * [1, 2, 5, 10].find(function (m) { return m * ten >= raw; });
      for (let k = Math.ceil(s.from / by); k * by <= s.to; k++)
        list.push(Number((k * by).toPrecision(12)));
    }
    return list.filter(function (v) { return v >= s.from && v <= s.to; });
  }

  function frame(p, x, y) {
    const c = p.c;
    c.strokeStyle = p.colour('soft');
    c.fillStyle = p.colour('text');
    c.lineWidth = 1;
    c.strokeRect(p.left, p.top, p.w, p.h);
    c.textAlign = 'center';
    c.textBaseline = 'top';
    ticks(x.scale, p.w / 80).forEach(function (v) {
      const at = p.left + p.w * there(x.scale, v);
      c.fillText(short(v), at, p.top + p.h + 7);
      c.fillRect(at, p.top + p.h, 1, 4);
    });
    c.fillText(x.label, p.left + p.w / 2, p.top + p.h + 28);
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    ticks(y.scale, p.h / 40).forEach(function (v) {
      const at = p.top + p.h * (1 - there(y.scale, v));
      c.fillText(short(v), p.left - 7, at);
      c.fillRect(p.left - 4, at, 4, 1);
    });
    c.save();
    c.translate(9, p.top + p.h / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = 'center';
    c.fillText(y.label, 0, 0);
    c.restore();
  }

  /* Cells around the nodes: deeper the further rho is from 1; hatched where it is above. */
  function cells(p) {
    const c = p.c, dx = p.w / (NODES - 1), dy = p.h / (NODES - 1), hatched = new Path2D();
    for (let j = 0; j < NODES; j++)
      for (let i = 0; i < NODES; i++) {
        const r = region.rho[j * NODES + i], bad = r > LEVEL;
        const at = [p.left + (i - 0.5) * dx, p.top + p.h - (j + 0.5) * dy, dx + 0.6, dy + 0.6];
        c.fillStyle = p.colour(Number.isNaN(r) ? 'none-back' : bad ? 'bad-back' : 'good-back');
        c.fillRect(...at);
        c.globalAlpha = Number.isNaN(r) ? 0 : bad ? Math.min(0.45, 0.15 * Math.log2(r)) : 0.3 * (1 - r);
        c.fillStyle = p.colour(bad ? 'bad' : 'good');
        c.fillRect(...at);
        c.globalAlpha = 1;
        if (bad)
          hatched.rect(...at);
      }
    c.save();
    c.clip(hatched);
    c.strokeStyle = p.colour('text');
    c.globalAlpha = 0.35;
    c.lineWidth = 1;
    c.beginPath();
    for (let k = -p.h; k < p.w; k += 10) {
      c.moveTo(p.left + k, p.top + p.h);
      c.lineTo(p.left + k + p.h, p.top);
    }
    c.stroke();
    c.restore();
  }

  /* Marching squares: the cuts of each cell's edges, two by two. */
  function boundary(p) {
    const c = p.c;
    c.strokeStyle = p.colour('text');
    c.lineWidth = 1.8;
    c.beginPath();
    for (let j = 0; j + 1 < NODES; j++)
      for (let i = 0; i + 1 < NODES; i++) {
        const k = j * NODES + i;
        const cut = [[i + region.right[k], j], [i + 1, j + region.up[k + 1]], [i + region.right[k + NODES], j + 1], [i, j + region.up[k]]]
          .filter(function (at) { return !Number.isNaN(at[0] + at[1]); });
        for (let n = 0; n + 1 < cut.length; n += 2)
          cut.slice(n, n + 2).forEach(function (at, end) {
            c[end ? 'lineTo' : 'moveTo'](p.left + p.w * at[0] / (NODES - 1), p.top + p.h - p.h * at[1] / (NODES - 1));
          });
      }
    c.stroke();
  }

  function clipped(p, draw) {
    p.c.save();
    p.c.beginPath();
    p.c.rect(p.left, p.top, p.w, p.h);
    p.c.clip();
    draw(p);
    p.c.restore();
  }

  function drawRegion() {
    const p = begin('region'), x = parameter(axes.x.at), y = parameter(axes.y.at);
    clipped(p, cells);
    clipped(p, boundary);
    frame(p, { scale: axes.x.scale, label: label(x) }, { scale: axes.y.scale, label: label(y) });
    const at = [p.left + p.w * there(axes.x.scale, valueAt(x.name)), p.top + p.h * (1 - there(axes.y.scale, valueAt(y.name)))];
    [[5, 'card'], [2, 'text']].forEach(function (line) {
      p.c.lineWidth = line[0];
      p.c.strokeStyle = p.colour(line[1]);
      p.c.beginPath();
      p.c.arc(at[0], at[1], 7, 0, 2 * Math.PI);
      p.c.stroke();
    });
    const said = 'Over ' + (x.label || x.name) + ' and ' + (y.label || y.name) + '. Hatched: rho above 1, unstable; plain: stable; grey: no rho. ' +
      'Line: rho = 1. Ring: this point.';
    says('region', said);
    p.canvas.setAttribute('aria-label', said + ' ' + form.rho.value + '.');
  }

  /* What grows is drawn up to twenty times what it was in the first tenth of the run. */
  function runScale(k) {
    const n = rows.length / width, of = Array.from({ length: n }, function (_, r) { return rows[r * width + k]; }).filter(Number.isFinite);
    const bound = 20 * of.slice(0, Math.max(2, Math.ceil(n / 10))).reduce(function (m, v) { return Math.max(m, Math.abs(v)); }, 0) || Infinity;
    const low = Math.max(-bound, Math.min(...of)), high = Math.min(bound, Math.max(...of)), room = 0.06 * (high - low) || 1;
    return { log: false, from: low - room, to: high + room };
  }

  function drawRun() {
    const p = begin('run'), k = 1 + form.state.selectedIndex, state = model.states[k - 1];
    if (rows === null)
      return;
    const n = rows.length / width, x = { log: false, from: 0, to: Math.max(model.stop_time, 30 * step) }, y = runScale(k);
    if (x.to > 2000 * step)
      x.to = 2000 * step;
    clipped(p, function () {
      p.c.strokeStyle = p.c.fillStyle = p.colour('link');
      p.c.lineWidth = 1.6;
      p.c.lineJoin = 'round';
      p.c.beginPath();
      for (let r = 0; r < n; r++) {
        const at = [p.left + p.w * there(x, rows[r * width]), p.top + p.h * (1 - Math.max(-9, Math.min(9, there(y, rows[r * width + k]))))];
        p.c.lineTo(...at);
        if (n < 120)
          p.c.fillRect(at[0] - 2, at[1] - 2, 4, 4);
      }
      p.c.stroke();
    });
    frame(p, { scale: x, label: 'time t / s' }, { scale: y, label: label(state) });
    p.canvas.setAttribute('aria-label', state.name + ' over time: ' + (n - 1) + ' macro-steps, from ' + short(rows[k]) + ' to ' +
      short(rows[(n - 1) * width + k]) + unit(state.unit) + '.');
  }

  /* What the reader does -------------------------------------------------------------------------------- */

  let waiting = { point: false, map: false };

  function soon(mapped) {
    const first = !waiting.point;
    waiting = { point: true, map: waiting.map || mapped };
    if (first)
      requestAnimationFrame(function () {
        const mapping = waiting.map;
        waiting = { point: false, map: false };
        choose();
        if (mapping)
          map();
        point();
      });
  }

  function changed(event) {
    const name = event.target.name, axis = name[0];
    if (name === 'model') {
      takeModel();
    } else if (name === 'x' || name === 'y') {
      const other = name === 'x' ? 'y' : 'x';
      if (form.x.value === form.y.value)
        form[other].value = axes[name].at;
      takeAxes();
    } else if (name.endsWith('-slide')) {
      move(axis, Number(back(axes[axis].scale, event.target.value / 1000).toPrecision(4)));
      show(axis);
    } else if (name.endsWith('-value')) {
      const moved = event.target.value !== '' && move(axis, Number(event.target.value));
      form[axis + '-slide'].value = Math.round(1000 * there(axes[axis].scale, valueAt(axes[axis].at)));
      return soon(moved);
    }
    soon(!name.endsWith('-slide') && name !== 'state');
  }

  function clickedAt(event) {
    const p = { w: event.target.clientWidth - 78, h: Math.round(0.72 * event.target.clientWidth) - 58 };
    const share = { x: (event.offsetX - 66) / p.w, y: 1 - (event.offsetY - 10) / p.h };
    ['x', 'y'].forEach(function (axis) {
      move(axis, Number(back(axes[axis].scale, Math.max(0, Math.min(1, share[axis]))).toPrecision(4)));
      show(axis);
    });
    soon(false);
  }

  function start() {
    offer.models.forEach(function (m) { form.model.add(new Option(m.name, m.name)); });
    offer.schemes.forEach(function (s) { form.scheme.add(new Option(s.name, s.name)); });
    form.hidden = false;
    form.addEventListener('input', changed);
    form.addEventListener('submit', function (event) { event.preventDefault(); });
    form.addEventListener('change', function (event) {
      if (event.target.name.endsWith('-value'))
        show(event.target.name[0]);
    });
    form.querySelector('canvas[data-picture=region]').addEventListener('click', clickedAt);
    addEventListener('resize', function () { soon(false); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () { soon(false); });
    form.reset();
    takeModel();
    soon(true);
  }

  load().then(start, function (error) {
    const line = document.createElement('p');
    line.textContent = 'This browser does not take the WebAssembly of this page: ' + error.message;
    form.before(line);
  });
})();
