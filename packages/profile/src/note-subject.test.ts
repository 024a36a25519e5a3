import { readNote, writeNote } from './note-subject'

it.each([
  'Commandes #12 #13',
  'Lots #1, #2',
  'Réf #A1-#A2',
  '#abc#',
  '#🧾🧾🧾#',
  "Motif de l'avoir : Lots\r\n#1, #2",
  '#ABY#no code of the list',
  '#AAI#Lots #1, #2',
  '#AAI##AAI#Lots #1, #2',
])('begins with a code where %p would be read as one', (text) => {
  expect(writeNote(text)).toBe(`#AAI#${text}`)
  expect(readNote(writeNote(text))).toBe(text)
})

it.each([
  'Commande #12',
  'Commandes #1234 #13',
  'Commandes #1 #23 #24',
  '##abc#',
  '#PMT#Indemnité forfaitaire de 400 MAD',
  '#AAI#Bonjour',
  '#🧾🧾#',
])('leaves %p as it is', (text) => {
  expect(writeNote(text)).toBe(text)
  expect(readNote(text)).toBe(text)
})
