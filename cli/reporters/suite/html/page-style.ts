import { paletteOf, PICTURE_RULES } from '../../../../src/trace/picture/style.ts';

export const PAGE_STYLE = `${paletteOf(':root')}
:root{color-scheme:light dark;--page:#fbf7f5;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media screen and (prefers-color-scheme:dark){:root{--page:#140e17}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%;scroll-padding-top:16px}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif}
header,main{max-width:1160px;margin:0 auto;padding:0 20px}header{padding-top:28px}main{padding-bottom:80px}
.brand{margin:0;font-weight:700;letter-spacing:-.01em;color:var(--rose)}.brand span{color:var(--dim);font-weight:400;margin-left:.5em}
h1{font-size:clamp(26px,5vw,38px);line-height:1.15;letter-spacing:-.02em;margin:6px 0 18px;font-weight:720}h1.bad{color:var(--bad)}
h2{font-size:15px;font-weight:620;margin:0;overflow-wrap:anywhere}h3{font-size:12px;font-weight:650;letter-spacing:.04em;text-transform:uppercase;color:var(--dim);margin:0 0 8px}
.notice{background:var(--sunken);border-left:3px solid var(--trouble);border-radius:8px;padding:10px 14px;margin:0 0 16px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:10px;margin:0}
.tile{background:var(--ground);border:1px solid var(--line);border-radius:14px;padding:12px 16px}
.tile dt{color:var(--dim);font-size:13px}.tile dd{margin:0;font-size:24px;font-weight:660;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.tile.good dd{color:var(--good)}.tile.trouble dd{color:var(--trouble)}.tile.bad dd{color:var(--bad)}
.share{display:block;width:100%;height:8px;border-radius:4px;overflow:hidden;margin:14px 0 6px}.share .good{fill:var(--good)}.share .bad{fill:var(--bad)}.share .trouble{fill:var(--trouble)}.share .over{fill:var(--line)}
.proofs{color:var(--dim);font-size:13px}.proofs summary{padding:6px 0;cursor:pointer}.proofs p{margin:0 0 8px}
.choices{display:flex;flex-wrap:wrap;gap:10px 24px;align-items:center;margin:20px 0 12px}
fieldset{border:0;padding:0;margin:0;display:flex;gap:6px}legend{float:left;padding:0;margin:7px 10px 0 0;color:var(--dim)}
fieldset input{position:absolute;opacity:0}fieldset label{padding:7px 14px;border-radius:999px;border:1px solid var(--line);background:var(--ground);cursor:pointer}
fieldset input:checked+label{background:var(--ink);color:var(--page);border-color:var(--ink)}fieldset input:focus-visible+label{outline:3px solid var(--rose);outline-offset:2px}
#search{margin:0;display:flex;flex:1 1 260px;align-items:center;gap:10px}#search[hidden]{display:none}#search label{color:var(--dim)}
#words{flex:1;min-width:0;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:999px;padding:7px 16px}#found{color:var(--dim);white-space:nowrap}
:focus-visible{outline:3px solid var(--rose);outline-offset:2px}.hint{color:var(--dim);font-size:14px}
.case{background:var(--ground);border:1px solid var(--line);border-radius:14px;margin:8px 0;overflow:clip;content-visibility:auto;contain-intrinsic-size:auto 52px}
.case[open]{box-shadow:0 10px 30px -18px rgb(0 0 0/.35)}.case.failed{border-color:color-mix(in srgb,var(--bad) 45%,var(--line))}.case.unfit{display:none}
body:has(#only-failed:checked) .case:not(.failed),body:has(#only-inconclusive:checked) .case:not(.inconclusive),body:has(#only-flaky:checked) .case:not(.flaky),body:has(#only-skipped:checked) .case:not(.skipped),body:has(#only-passed:checked) .case:not(.passed){display:none}
.case>summary{display:flex;gap:4px 14px;align-items:baseline;padding:13px 18px;cursor:pointer;list-style:none}.case>summary::-webkit-details-marker{display:none}
.case>summary:hover{background:var(--sunken)}.case>summary:focus-visible{outline-offset:-3px}.what{flex:1;min-width:0}
.verdict{flex:none;font-size:12px;font-weight:650;padding:1px 10px;border-radius:999px;color:var(--good);background:color-mix(in srgb,var(--good) 13%,transparent)}
.failed .verdict{color:var(--bad);background:color-mix(in srgb,var(--bad) 13%,transparent)}
.flaky .verdict,.inconclusive .verdict{color:var(--trouble);background:color-mix(in srgb,var(--trouble) 13%,transparent)}.skipped .verdict{color:var(--dim);background:var(--sunken)}.skipped .reason{color:var(--dim)}.flaky .what .reason{color:var(--trouble)}.try{margin-top:16px}
.counts{color:var(--dim);font-size:13px;font-variant-numeric:tabular-nums;text-align:right}.reason{color:var(--bad);overflow-wrap:anywhere;white-space:pre-line}
.what .reason{display:block;font-size:14px}.body{padding:4px 18px 18px;border-top:1px solid var(--line)}.body section{margin:18px 0 0}
.place{font:13px var(--mono);color:var(--dim);margin:0 0 6px;overflow-wrap:anywhere}
pre{font:13px/1.6 var(--mono);margin:0;overflow:auto;background:var(--sunken);border-radius:10px;padding:12px 14px}
.source mark{display:inline-block;min-width:100%;background:color-mix(in srgb,var(--bad) 16%,transparent);color:inherit}
.source strong{display:block;color:var(--bad);font-weight:600;white-space:pre-wrap;padding:2px 0 6px 12.5em}
.source .at{display:inline-block;width:6.5em;color:var(--dim);text-align:right;font-size:12px}.source .mark{display:inline-block;width:2em;text-align:center;color:var(--good);font-weight:700}.source mark .mark{color:var(--bad)}
.source .number{display:inline-block;width:3em;color:var(--dim);text-align:right;margin-right:1.4em;user-select:none}
.again p{margin:0 0 6px}.again code{font:13px var(--mono);background:var(--sunken);border-radius:8px;padding:5px 10px;display:inline-block;user-select:all;overflow-wrap:anywhere}.again span{color:var(--dim);font-size:13px}
figure{margin:0;overflow-x:auto;border:1px solid var(--line);border-radius:10px;padding:8px}figure svg{display:block;max-width:none;height:auto}figcaption{color:var(--dim);font-size:13px;padding:6px 4px 0}
.more{margin-top:10px}.more>summary{cursor:pointer;padding:6px 0;color:var(--rose);font-weight:560}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13.5px}caption{text-align:left;color:var(--dim);padding:2px 0 6px;font-size:13px}
th{text-align:left;font-weight:600;color:var(--dim);border-bottom:1px solid var(--line);padding:6px 12px 6px 0;white-space:nowrap}
td{border-bottom:1px solid var(--line);padding:6px 12px 6px 0;vertical-align:top}td.num{font-variant-numeric:tabular-nums;white-space:nowrap;color:var(--dim)}
td details summary{cursor:pointer}td pre{margin:6px 0;max-height:420px;max-width:min(680px,78vw)}tr.bad td,tr.bad b{color:var(--bad)}tr.trouble td{color:var(--trouble)}
.far{white-space:nowrap}.meter{width:110px;height:8px;margin-right:10px}.meter .track{fill:var(--line)}.meter .rose{fill:var(--rose)}.meter .bad{fill:var(--bad)}
.proves{color:var(--dim);font-size:13px;margin:16px 0 0}
@media(max-width:640px){header,main{padding-left:14px;padding-right:14px}.case>summary{flex-wrap:wrap}.what{order:3;flex-basis:100%}.counts{flex:1}.tiles{grid-template-columns:repeat(2,1fr)}.body{padding:4px 12px 14px}legend{display:none}.source strong{padding-left:1em}.source .at{display:none}}
@media print{:root{--page:#fff}body{font-size:12px}pre{font-size:10.5px}.tiles{grid-template-columns:repeat(6,1fr)}.tile dd{font-size:18px}.choices,.hint{display:none}.case{break-inside:avoid-page;box-shadow:none;content-visibility:visible}figure{overflow:visible;break-inside:avoid}figure svg{max-width:100%}pre{white-space:pre-wrap}}
${PICTURE_RULES}`;
