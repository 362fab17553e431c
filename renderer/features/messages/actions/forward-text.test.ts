import { expect, test } from 'vitest'
import { aMessage, anAttachment } from '#kit/fake-bridge/index.ts'
import { forwardText } from './forward-text.ts'

const WORDS = {
  nameOf: (id: string) => id,
  from: (name: string) => `From ${name}`,
  emptyAs: 'File',
  isAlong: () => false,
}

test('the words are quoted under their author’s name, with one’s own words above', () => {
  expect(forwardText([aMessage({ userId: 'ola', text: 'one\n\n**two**' })], ' Look ', WORDS)).toBe(
    'Look\n\n> **From ola**\n> one\n>\n> **two**',
  )
})

test('several stay apart, and files are named', () => {
  const messages = [
    aMessage({ userId: 'ola', text: 'one' }),
    aMessage({
      userId: 'jonas',
      attachments: [anAttachment({ title: 'plan.pdf' }), anAttachment({ index: 1 })],
    }),
  ]
  expect(forwardText(messages, '', WORDS)).toBe('> **From ola**\n> one\n\n> **From jonas**\n> - plan.pdf\n> - File')
})

test('marks in a name stay words', () => {
  expect(forwardText([aMessage({ userId: '*x*', text: 'a' })], '', WORDS)).toContain(String.raw`From \*x\*`)
})

test('a file that goes along is not named', () => {
  const message = aMessage({
    id: 'm',
    userId: 'ola',
    attachments: [anAttachment({ title: 'a.png' }), anAttachment({ index: 1, title: 'b.zip' })],
  })
  const text = forwardText([message], '', { ...WORDS, isAlong: (id, index) => id === 'm' && index === 0 })
  expect(text).toBe('> **From ola**\n> - b.zip')
})
