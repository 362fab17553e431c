import { expect, test } from 'vitest'
import { freeSlots, OPEN_UPLOAD_RULES, uploadKind, uploadRefusal, type UploadRules } from './uploads.ts'

const file = { name: 'Photo.PNG', mimeType: 'image/png', sizeBytes: 10 }
const rules = (over: Partial<UploadRules>): UploadRules => ({ ...OPEN_UPLOAD_RULES, ...over })

test.each([
  ['allowed_file_extensions', rules({ allowed_file_extensions: ['.jpg'] })],
  ['blocked_file_extensions', rules({ blocked_file_extensions: ['.png'] })],
  ['allowed_mime_types', rules({ allowed_mime_types: ['image/jpeg'] })],
  ['blocked_mime_types', rules({ blocked_mime_types: ['IMAGE/PNG'] })],
  ['size_limit', rules({ size_limit: 9 })],
  [undefined, rules({ allowed_file_extensions: ['png'], allowed_mime_types: ['image/png'], size_limit: 10 })],
])('AGR-32 returns %s', (reason, config) => expect(uploadRefusal(file, config)).toBe(reason))

test('the first violated rule is the reason', () => {
  const config = rules({ allowed_file_extensions: ['.jpg'], blocked_mime_types: ['image/png'], size_limit: 1 })
  expect(uploadRefusal(file, config)).toBe('allowed_file_extensions')
})

test('AGR-02 100 MB is the limit if the application sets none', () => {
  const big = { ...file, sizeBytes: 104_857_601 }
  expect(uploadRefusal(big, rules({ size_limit: 0 }))).toBe('size_limit')
  expect(uploadRefusal({ ...big, sizeBytes: 104_857_600 }, rules({}))).toBeUndefined()
})

test('a Photoshop document is a file, not an image', () => {
  expect(['image/png', 'image/vnd.adobe.photoshop', 'video/mp4', 'audio/ogg', ''].map(uploadKind)).toEqual([
    'image',
    'file',
    'video',
    'audio',
    'file',
  ])
})

test('AGR-34 blocked and failed files use no slot', () => {
  expect(freeSlots([{ state: 'finished' }, { state: 'uploading' }, { state: 'blocked' }, { state: 'failed' }])).toBe(8)
})
