import { fileNameIn } from './artefact'

it.each([
  ['attachment; filename="F-2026-0001.xml"', 'F-2026-0001.xml'],
  ['attachment; filename=F-1.pdf', 'F-1.pdf'],
  ['attachment; filename="F_1.pdf"; filename*=UTF-8\'\'F%C3%A91.pdf', 'Fé1.pdf'],
  ['attachment; filename="say \\"1\\".pdf"', 'say _1_.pdf'],
  ['attachment; filename="../../etc/passwd"', '__.._etc_passwd'],
  ["attachment; filename*=UTF-8''..%2F..%2Fx", '__.._x'],
  ['attachment; filename*=UTF-8\'\'%E0%A4; filename="ok.pdf"', 'ok.pdf'],
  ['attachment; filename=".bashrc"', '_bashrc'],
  ['attachment', 'download'],
  ['', 'download'],
])('reads from %s the file name %s', (disposition, name) => {
  expect(fileNameIn(disposition)).toBe(name)
})
