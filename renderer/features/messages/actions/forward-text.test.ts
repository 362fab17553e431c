import { expect, test } from 'vitest'
import { aMessage, anAttachment } from '#kit/fake-bridge/index.ts'
import { forwardText } from './copy.ts'

const TEXTS = {
  nameOf: (id: string) => id,
  from: (name: string) => `From ${name}`,
  emptyAs: 'File',
  isForwarded: () => false,
}

test('the text is quoted under its author’s name, below the comment', () => {
  expect(forwardText([aMessage({ userId: 'ola', text: 'one\n\n**two**' })], ' Look ', TEXTS)).toBe(
    'Look\n\n> **From ola**\n> one\n>\n> **two**',
  )
})

test('several quotations stay separate, and files are listed by name', () => {
  const messages = [
    aMessage({ userId: 'ola', text: 'one' }),
    aMessage({
      userId: 'jonas',
      attachments: [anAttachment({ title: 'plan.pdf' }), anAttachment({ index: 1 })],
    }),
  ]
  expect(forwardText(messages, '', TEXTS)).toBe('> **From ola**\n> one\n\n> **From jonas**\n> - plan.pdf\n> - File')
})

test('Markdown in a name is escaped', () => {
  expect(forwardText([aMessage({ userId: '*x*', text: 'a' })], '', TEXTS)).toContain(String.raw`From \*x\*`)
})

test('a file that is forwarded is not listed', () => {
  const message = aMessage({
    id: 'm',
    userId: 'ola',
    attachments: [anAttachment({ title: 'a.png' }), anAttachment({ index: 1, title: 'b.zip' })],
  })
  const text = forwardText([message], '', { ...TEXTS, isForwarded: (id, index) => id === 'm' && index === 0 })
  expect(text).toBe('> **From ola**\n> - b.zip')
})
