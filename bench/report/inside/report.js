/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts and filters the table of figures; what it needs stands in data-* of its rows. Without it everything is shown. */
'use strict';
(function () {
  const form = document.querySelector('form.filters');
  const table = document.querySelector('table.index');
  if (!form || !table)
    return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows).map(function (row) {
    return { row: row, section: document.getElementById(row.dataset.id), data: row.dataset, text: null };
  });
  const groups = Array.from(document.querySelectorAll('div.group'));
  const shown = form.querySelector('output');

  /* Filters ------------------------------------------------------------------------------------------- */

  function words(text) { return text.split(' ').filter(Boolean); }

  function fill(select) {
    const values = new Set();
    rows.forEach(function (r) {
      (select.dataset.list ? words(r.data[select.name]) : [r.data[select.name]]).forEach(function (v) { values.add(v); });
    });
    Array.from(values).sort().forEach(function (v) {
      if (v !== '')
        select.add(new Option(v, v));
    });
  }

  function textOf(r) {
    if (r.text === null)
      r.text = (r.row.textContent + ' ' + (r.section ? r.section.textContent : '')).toLowerCase();
    return r.text;
  }

  function fits(r, wanted) {
    const has = function (name, own) { return form[name].value === '' || own.includes(form[name].value); };
    return has('paper', [r.data.paper]) && has('verdict', [r.data.verdict]) && has('models', words(r.data.models)) &&
      has('schemes', words(r.data.schemes)) && wanted.every(function (w) { return textOf(r).includes(w); });
  }

  function apply() {
    const wanted = words(form.search.value.toLowerCase());
    let n = 0;
    rows.forEach(function (r) {
      const keep = fits(r, wanted);
      n += keep;
      r.row.hidden = !keep;
      if (r.section)
        r.section.hidden = !keep;
    });
    groups.forEach(function (g) { g.hidden = !g.querySelector('section:not([hidden])'); });
    shown.value = n + ' of ' + rows.length + ' shown';
  }

  /* Sorting: again turns it round ---------------------------------------------------------------------- */

  function compare(a, b) {
    const x = Number(a), y = Number(b);
    return a !== '' && b !== '' && !isNaN(x) && !isNaN(y) ? x - y : a.localeCompare(b);
  }

  function sort(head) {
    const down = head.getAttribute('aria-sort') === 'ascending';
    const key = head.dataset.key;
    table.querySelectorAll('th').forEach(function (th) { th.removeAttribute('aria-sort'); });
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    rows.slice().sort(function (a, b) {
      const by = compare(a.data[key], b.data[key]);
      return (down ? -by : by) || a.data.place - b.data.place;
    }).forEach(function (r) { body.append(r.row); });
  }

  /* Commands to copy ------------------------------------------------------------------------------------ */

  function copied(button) {
    button.textContent = 'copied';
    setTimeout(function () { button.textContent = 'copy'; }, 1500);
  }

  function copy(button) {
    const code = button.parentElement.querySelector('code');
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    if (navigator.clipboard)
      navigator.clipboard.writeText(code.textContent).then(function () { copied(button); }, function () {});
  }

  /* A link to a figure that is filtered away shows all again. */
  function arrive() {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch (error) {
      return;
    }
    if (target && target.hidden) {
      form.reset();
      apply();
      target.scrollIntoView();
    }
  }

  form.querySelectorAll('select').forEach(fill);
  form.addEventListener('input', apply);
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('reset', function () { setTimeout(apply, 0); });
  table.querySelectorAll('th[data-key] button').forEach(function (button) {
    button.addEventListener('click', function () { sort(button.parentElement); });
  });
  document.addEventListener('click', function (event) {
    if (event.target.matches('button.copy'))
      copy(event.target);
  });
  addEventListener('hashchange', arrive);
  addEventListener('beforeprint', function () {
    document.querySelectorAll('img[loading=lazy]').forEach(function (img) { img.loading = 'eager'; });
  });
  document.querySelectorAll('button.copy').forEach(function (button) { button.hidden = false; });
  form.hidden = false;
  apply();
})();
