import { expect, test } from 'vitest'
import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { MediaFilter, MediaTabName } from '#shared/domain/channel.ts'
import { attachmentsIn } from './media-tabs.ts'

const attachments = (['image', 'giphy', 'video', 'audio', 'voiceRecording', 'file', 'other', 'link'] as const).map(
  (kind: AttachmentKind, at) => ({ kind, sizeBytes: at * 100 }),
)
const kinds = (tab: MediaTabName, filter?: MediaFilter) =>
  attachmentsIn(tab, attachments, filter).map(({ kind }) => kind)

test('each tab has its kinds, and a link preview is not a file', () => {
  expect(kinds('media')).toEqual(['image', 'giphy', 'video'])
  expect(kinds('files')).toEqual(['audio', 'voiceRecording', 'file', 'other'])
  expect(kinds('links')).toEqual([])
  expect(kinds('polls')).toEqual([])
})

test('filtered by kind or by size', () => {
  expect(kinds('media', { kind: 'video' })).toEqual(['video'])
  expect(kinds('files', { kind: 'audio' })).toEqual(['audio', 'voiceRecording'])
  expect(kinds('files', { minBytes: 500 })).toEqual(['file', 'other'])
  expect(attachmentsIn('files', [{ kind: 'file' }], { minBytes: 1 })).toEqual([])
})
