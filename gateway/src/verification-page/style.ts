export const style = `
:root { --ink: #1c2430; --soft: #4d5866; --line: #dde2ea; --ground: #f2f4f8; --accent: #1f4e8c }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, 'Segoe UI', 'Noto Sans', 'Noto Sans Arabic', sans-serif }
:lang(ar) { font-family: 'Segoe UI', 'Noto Sans Arabic', 'Noto Naskh Arabic', Tahoma, sans-serif }
header, main, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.25rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center;
  justify-content: space-between; padding-block: 1.1rem }
header p { margin: 0; font-weight: 600 }
nav ul { display: flex; gap: .25rem; margin: 0; padding: 0; list-style: none }
nav a { display: block; padding: .3rem .7rem; border-radius: 1rem; color: var(--accent) }
nav a[aria-current] { background: var(--accent); color: #fff; text-decoration: none }
a { color: var(--accent) }
a:focus-visible, input:focus-visible { outline: 3px solid #e08a00; outline-offset: 2px }
h1, h2, p { overflow-wrap: anywhere }
h1 { margin: 0; font-size: clamp(1.4rem, 1.1rem + 1.6vw, 2rem); line-height: 1.25 }
h2 { margin: 0 0 .8rem; font-size: 1.1rem }
.test { margin: 0 0 1rem; padding: .7rem 1.25rem; border-radius: .6rem; background: #fff3cf;
  color: #5f4300 }
.decision { display: grid; grid-template-columns: auto 1fr; gap: .4rem 1.1rem; padding: 1.5rem;
  border-radius: .9rem; border-inline-start: .5rem solid; margin-bottom: 1.25rem }
.decision svg { width: 2.6rem; height: 2.6rem; grid-row: span 2 }
.decision > div { grid-column: 2 }
.decision p { margin: .35rem 0 0 }
.decision dl { margin-top: .9rem }
.accepted { background: #e8f5ee; color: #0f5132; border-color: #17663f }
.waiting { background: #fdf4de; color: #664300; border-color: #b7791f }
.rejected { background: #fcecee; color: #86172a; border-color: #9b1c2c }
.unknown { background: #e9edf3; color: #2d3846; border-color: #5b6776 }
.decision dt { color: inherit }
.cards { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem }
.card { background: #fff; border: 1px solid var(--line); border-radius: .9rem; padding: 1.35rem }
.wide { grid-column: 1 / -1 }
dl { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: .35rem 1.1rem; margin: 0 }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
.sum { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap }
.amounts dl { grid-template-columns: 1fr auto; column-gap: 0 }
.amounts dd { padding-inline-start: 1.1rem }
.amounts .main { font-weight: 700; font-size: 1.1rem; padding-top: .5rem;
  border-top: 2px solid var(--line); color: inherit }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .45rem .5rem; text-align: start; border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-weight: 500 }
tfoot td { border-bottom: 0; font-weight: 600 }
code { font: .86rem/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere }
label { display: block; font-weight: 600; margin-bottom: .4rem }
input { width: 100%; padding: .8rem; border: 2px dashed #8b98a9; border-radius: .6rem;
  background: #f8fafc; font: inherit }
.hint { color: var(--soft); margin: .5rem 0 0; font-size: .94rem }
output { display: block; margin: .8rem 0; font-weight: 600 }
output.right, output.wrong, output.warning { padding: .7rem .9rem; border-radius: .6rem }
output.right { background: #e8f5ee; color: #0f5132 }
output.wrong { background: #fcecee; color: #86172a }
output.warning { background: #fdf4de; color: #664300 }
.state { margin: 0 0 .9rem; font-weight: 600 }
.downloads { display: grid; gap: .7rem; margin: 0; padding: 0; list-style: none;
  grid-template-columns: repeat(3, minmax(0, 1fr)) }
.downloads a, .downloads p { display: block; height: 100%; margin: 0; padding: .9rem 1rem;
  border: 1px solid var(--line); border-radius: .7rem }
.downloads a { background: #f5f8fc; text-decoration: none; color: var(--soft) }
.downloads a:hover { border-color: var(--accent) }
.downloads strong { display: block; color: var(--accent) }
.downloads p, .downloads p strong { color: var(--soft) }
footer { padding-block: 1.5rem 2.5rem; color: var(--soft); font-size: .9rem }
footer p { margin: 0 }
@media (max-width: 47rem) {
  .cards, .downloads { grid-template-columns: minmax(0, 1fr) }
  .decision { padding: 1.1rem } .decision svg { width: 2rem; height: 2rem }
  .card { padding: 1.1rem } dl { grid-template-columns: minmax(5.5rem, auto) 1fr }
  .long dl { grid-template-columns: 1fr; gap: 0 } .long dd { margin-bottom: .5rem }
}
@media print {
  body { background: #fff; font-size: 10pt } nav, .file form, .downloads-card { display: none }
  header, main, footer { max-width: none; padding-inline: 0 }
  .card, .decision { break-inside: avoid; padding: .8rem }
  .cards { gap: .6rem } * { print-color-adjust: exact }
}
`
