import { describe, expect, test } from 'vitest'
import { aMessage, anAttachment } from '#kit/fake-bridge/builders.ts'
import { filesToForward } from './forward.ts'

describe('forwarded files', () => {
  test('are those the server has bytes of, in their order', () => {
    const attachments = [
      anAttachment({ index: 0, kind: 'link' }),
      anAttachment({ index: 1, kind: 'file' }),
      anAttachment({ index: 2, kind: 'file', hasMedia: false }),
      anAttachment({ index: 3, kind: 'voiceRecording' }),
    ]
    const messages = [aMessage({ id: 'a', attachments }), aMessage({ id: 'b', attachments: [anAttachment()] })]
    expect(filesToForward(messages)).toEqual([
      { messageId: 'a', index: 1 },
      { messageId: 'a', index: 3 },
      { messageId: 'b', index: 0 },
    ])
  })

  test('are no more than one message carries', () => {
    const attachments = Array.from({ length: 12 }, (_, index) => anAttachment({ index }))
    expect(filesToForward([aMessage({ attachments })])).toHaveLength(10)
  })
})
