/** Style of the page; colors follow the reader's light or dark setting, and print is light. */
export const STYLE = `:root{color-scheme:light dark;--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d1d9e0;--soft:#f6f8fa;--ok:#1a7f37;--bad:#c8102e;--warn:#8a5a00;--info:#0969da;--hit:#fff3c4;--okbg:#aceebb;--warnbg:#f8dc8c;--badbg:#ffc1ba}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#3d444d;--soft:#161b22;--ok:#3fb950;--bad:#ff7b72;--warn:#d29922;--info:#58a6ff;--hit:#4b3b0b;--okbg:#1b5e2c;--warnbg:#6b4d0a;--badbg:#7d2622}}
@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--dim:#444;--line:#bbb;--soft:#f4f4f4;--ok:#1a7f37;--bad:#c8102e;--warn:#8a5a00;--info:#0969da;--hit:#fff3c4;--okbg:#aceebb;--warnbg:#f8dc8c;--badbg:#ffc1ba}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}nav,.zoom,.tip{display:none!important}section,tr,.card{break-inside:avoid}section.long{break-inside:auto}.scroll{overflow:visible!important}.inner{width:100%!important}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem 1.5rem 4rem;max-width:75rem;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}h3{font-size:1rem;margin:1.4rem 0 .4rem}
h1,p,li,td:last-child,.card{overflow-wrap:anywhere}
a{color:var(--info)}:focus-visible{outline:2px solid var(--info);outline-offset:2px}
.dim{color:var(--dim)}.good{color:var(--ok)}.bad{color:var(--bad)}.warn{color:var(--warn)}
nav{display:flex;flex-wrap:wrap;gap:0 1rem}
.card{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:4px;padding:.5rem .8rem;margin:.5rem 0;background:var(--soft)}.card.past{border-left-color:var(--dim)}.card.fine{border-left-color:var(--ok)}.card p{margin:.15rem 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th{text-align:left;font-weight:600}td,th{padding:.15rem .6rem .15rem 0;vertical-align:top;border-bottom:1px solid var(--line)}td.n,th.n{text-align:right}td.n,th.n,td.k{white-space:nowrap}.wide{overflow-x:auto}
tr.f>td:nth-child(4){color:var(--bad)}tr.e>td:nth-child(4),tr.w>td:nth-child(4){color:var(--warn)}
tr:target,tr.at{background:var(--hit)}
pre{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:.5rem;overflow-x:auto;font:13px/1.45 ui-monospace,monospace;margin:.4rem 0}
pre i{display:inline-block;width:3.2em;color:var(--dim);font-style:normal;user-select:none}pre mark{background:var(--hit);color:inherit}pre b{color:var(--bad);font-weight:600;white-space:pre-wrap}
summary{cursor:pointer;font-weight:600}
.tl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;margin:0;position:relative}
.labels>*{padding-right:.6rem;overflow:hidden;line-height:1.15;font-size:13px}.labels span{display:block;color:var(--dim);font-size:11px}
.axis{height:22px}.c{height:30px}.p{height:64px}
.scroll{overflow-x:auto;border-left:1px solid var(--line)}.inner{position:relative;width:100%}
.inner svg{display:block;width:100%;overflow:hidden;position:relative}
.axis i{position:absolute;top:0;bottom:0;border-left:1px solid var(--line);font:11px system-ui,sans-serif;color:var(--dim);padding-left:3px;white-space:nowrap}
path{fill:none;vector-effect:non-scaling-stroke}path.ok{stroke:var(--ok);stroke-width:3}path.fail{stroke:var(--bad);stroke-width:4}path.err{stroke:var(--warn);stroke-width:4;stroke-dasharray:3 2}path.limit{stroke:var(--dim);stroke-dasharray:4 4}path.base{stroke:var(--line)}path.kill{stroke:var(--bad);stroke-width:2}path.run{stroke:var(--fg);stroke-width:2}
rect.ready{fill:var(--okbg)}rect.notReady,rect.notStarted{fill:var(--warnbg)}rect.stopping,rect.backOff{fill:var(--badbg)}rect.ended,rect.completed,rect.none{fill:var(--line)}rect.backOff{opacity:.55}rect.notStarted{opacity:.6}
.cur{position:absolute;top:22px;bottom:0;border-left:1px solid var(--fg);pointer-events:none}
.tip{min-height:1.6rem;font-size:13px}.zoom{margin:.3rem 0}.zoom button{font:inherit;padding:.1rem .6rem;margin-right:.3rem}
.key{font-size:12px;color:var(--dim)}.key span{white-space:nowrap}.key b{display:inline-block;width:.9em;height:.9em;vertical-align:-1px;margin:0 .3em 0 .8em}
.js{display:none}
`;

/** Zoom, hover and links of the timeline; all data is in the page already. */
export const SCRIPT = `(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  for (const element of all('.js')) element.classList.remove('js');
  const open = () => {
    for (const row of all('tr.at')) row.classList.remove('at');
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    const details = target.closest('details');
    if (details) details.open = true;
    if (target.tagName === 'TR') target.classList.add('at');
    target.scrollIntoView({ block: 'center' });
  };
  addEventListener('hashchange', open);
  for (const table of all('table.attempts')) {
    table.addEventListener('click', (event) => {
      const row = event.target.closest('tr[id]');
      if (row && !String(getSelection())) location.hash = row.id;
    });
  }
  const nice = (step) => {
    const power = 10 ** Math.floor(Math.log10(step));
    return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= step);
  };
  for (const figure of all('figure.tl')) {
    const from = Number(figure.dataset.from), to = Number(figure.dataset.to);
    const scroll = figure.querySelector('.scroll'), inner = figure.querySelector('.inner');
    const axis = figure.querySelector('.inner .axis'), base = axis.innerHTML;
    const tip = document.getElementById(figure.dataset.tip);
    const cursor = document.createElement('div');
    cursor.className = 'cur';
    cursor.hidden = true;
    inner.append(cursor);
    let zoom = 1;
    const setZoom = (next, at = 0.5) => {
      next = Math.min(Math.max(1, next), Math.max(1, (to - from) * 4));
      const center = (scroll.scrollLeft + at * scroll.clientWidth) / inner.clientWidth;
      zoom = next;
      inner.style.width = 100 * zoom + '%';
      scroll.scrollLeft = center * inner.clientWidth - at * scroll.clientWidth;
      if (zoom === 1) { axis.innerHTML = base; return; }
      axis.replaceChildren();
      const step = nice(((to - from) / zoom) / 8);
      for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
        const tick = document.createElement('i');
        tick.style.left = (100 * (t - from)) / (to - from) + '%';
        tick.textContent = Math.round(t * 1000) / 1000 + ' s';
        axis.append(tick);
      }
    };
    const buttons = document.getElementById(figure.dataset.zoom);
    buttons.addEventListener('click', (event) => {
      const by = event.target.dataset.by;
      if (by) setZoom(by === '0' ? 1 : zoom * Number(by));
    });
    scroll.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = scroll.getBoundingClientRect();
      setZoom(zoom * (event.deltaY < 0 ? 1.25 : 0.8), (event.clientX - box.left) / box.width);
    }, { passive: false });
    for (const svg of all('svg[data-rows]', figure)) {
      const table = document.getElementById(svg.dataset.rows);
      if (!table) continue;
      const rows = all('tr[id]', table);
      const times = rows.map((row) => Number.parseFloat(row.cells[1].textContent));
      let chosen = -1;
      svg.setAttribute('tabindex', '0');
      const show = (index) => {
        chosen = index;
        const row = rows[index];
        cursor.hidden = false;
        cursor.style.left = (100 * (times[index] - from)) / (to - from) + '%';
        let first = index;
        while (first > 0 && rows[first].cells[6].className === 'same') first--;
        const [number, time, run, result, latency, count] = [...row.cells].map((cell) => cell.textContent);
        tip.textContent = svg.dataset.name + ' attempt ' + number + ' at ' + time + ' s, run ' + run + ': ' + result +
          (latency && ', ' + latency) + (count && ', ' + count) + ' ' + rows[first].cells[6].textContent;
      };
      const nearest = (event) => {
        const box = svg.getBoundingClientRect();
        const t = from + ((event.clientX - box.left) / box.width) * (to - from);
        let best = 0;
        times.forEach((time, index) => { if (Math.abs(time - t) < Math.abs(times[best] - t)) best = index; });
        return best;
      };
      svg.addEventListener('mousemove', (event) => show(nearest(event)));
      svg.addEventListener('click', (event) => { location.hash = rows[nearest(event)].id; });
      svg.addEventListener('keydown', (event) => {
        const last = rows.length - 1;
        const to = { ArrowRight: Math.min(last, chosen + 1), ArrowLeft: Math.max(0, chosen - 1), Home: 0, End: last }[event.key];
        if (to !== undefined) { event.preventDefault(); show(to); }
        else if (event.key === 'Enter' && chosen >= 0) location.hash = rows[chosen].id;
        else if (event.key === '+' || event.key === '-') setZoom(zoom * (event.key === '+' ? 2 : 0.5));
      });
    }
  }
  open();
})();
`;
