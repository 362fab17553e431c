import { expect, test } from 'vitest'
import { openDecision, withEnding } from './openable.ts'

const UNTOLD = 'application/octet-stream'

test.each([
  ['plan.pdf', 'application/pdf'],
  ['PLAN.PDF', 'application/pdf'],
  ['dawn.jpg', 'image/jpeg'],
  ['dawn.jpeg', 'image/jpeg'],
  ['talk.m4a', 'audio/mp4'],
  ['clip.mov', 'video/quicktime'],
  ['notes.txt', UNTOLD],
  ['table.csv', UNTOLD],
  ['letter.docx', UNTOLD],
  ['trail.gpx', UNTOLD],
  ['all.tar.gz', UNTOLD],
])('%s that is %s is opened', (name, type) => {
  expect(openDecision(name, type)).toBe('open')
})

const RUNNING =
  'exe com bat cmd scr pif msi msp msix appx cpl jar js jse vb vbs vbe ws wsf wsh ps1 psm1 sh bash zsh fish command ' +
  'tool app dmg pkg deb rpm run appimage flatpakref snap desktop lnk url webloc inetloc scf inf reg hta chm ' +
  'application settingcontent-ms search-ms library-ms theme iso img vhd py pyw rb pl php dll so dylib docm xlsm pptm ' +
  'xll iqy slk one rdp jnlp scpt workflow terminal html htm xhtml svg xml mht'

test.each(RUNNING.split(' '))('nothing that ends in %s is opened, whatever its bytes are', (ending) => {
  for (const type of [UNTOLD, 'image/png', 'application/pdf']) expect(openDecision(`a.${ending}`, type)).toBe('runs')
})

test.each([
  ['invoice.pdf.exe', UNTOLD, 'runs'],
  ['invoice.pdf', UNTOLD, 'mismatch'],
  ['invoice.pdf', 'application/x-executable', 'runs'],
  ['photo.jpg', 'image/png', 'mismatch'],
  ['photo.jpg', 'application/pdf', 'mismatch'],
  ['notes.txt', 'application/pdf', 'mismatch'],
  ['notes.txt', 'application/x-executable', 'runs'],
  ['README', UNTOLD, 'runs'],
  ['script.sh ', UNTOLD, 'runs'],
])('%s that is %s: %s', (name, type, decision) => {
  expect(openDecision(name, type)).toBe(decision)
})

test('a name without an ending gets that of its bytes', () => {
  expect(withEnding('Photo', 'image/png')).toBe('Photo.png')
  expect(withEnding('Photo.jpg', 'image/png')).toBe('Photo.jpg')
  expect(withEnding('README', UNTOLD)).toBe('README')
})
