import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { fieldKey, fieldsOf, partsOf, renderText, writeField, type FieldSource } from './campaigns.ts'

const ANN: FieldSource = { id: 'ann', name: 'Ann Lee', language: 'pl', custom: { region: 'Tatra', age: 7, list: [1] } }
const BARE: FieldSource = { id: 'bare', custom: {} }

describe('a text with fields', () => {
  test('is written for the person who reads it', () => {
    const text =
      'Hi {{receiver.first_name}} ({{ receiver.name }}, {{receiver.id}}, {{receiver.language}}): {{receiver.age}}'
    expect(renderText(text, { receiver: ANN })).toEqual({ text: 'Hi Ann (Ann Lee, ann, pl): 7', missing: [] })
  })

  test('has the fallback where there is no value, or nothing, and says which fields are missing, each once', () => {
    const text = '{{receiver.first_name|there}}{{receiver.region}}{{receiver.region|x}} {{channel.name | here }}'
    expect(renderText(text, { receiver: BARE })).toEqual({
      text: 'therex here',
      missing: ['receiver.first_name', 'receiver.region', 'channel.name'],
    })
  })

  test('keeps everything else in braces, and never fills in what a value contains', () => {
    const hostile: FieldSource = { id: 'h', name: '{{sender.id}}\n‮evil', custom: { constructor: '{{receiver.id}}' } }
    expect(renderText('{{receiver.name}} {{other.name}} {{}} {receiver.id}', { receiver: hostile }).text).toBe(
      '{{sender.id}}evil {{other.name}} {{}} {receiver.id}',
    )
    expect(renderText('{{receiver.toString|none}}', { receiver: ANN }).text).toBe('none')
    expect(renderText('{{receiver.list|none}}', { receiver: ANN }).text).toBe('none')
  })

  test('a custom first name wins over the first word of the name', () => {
    expect(renderText('{{receiver.first_name}}', { receiver: { ...ANN, custom: { first_name: 'Annie' } } }).text).toBe(
      'Annie',
    )
  })
})

describe('any text', () => {
  const name = fc.stringMatching(/^[\p{L}0-9_-]{1,20}$/u)
  const field = fc.record({
    owner: fc.constantFrom('receiver' as const, 'sender' as const, 'channel' as const),
    name,
    fallback: fc.string({ maxLength: 50 }),
  })

  test('a field that is written is read again as the same field', () => {
    fc.assert(
      fc.property(field, (each) => {
        const [read] = fieldsOf(writeField(each))
        expect(read && fieldKey(read)).toBe(fieldKey(each))
        expect(read?.fallback).toBe(each.fallback.replaceAll(/[{}|\r\n]/gu, ' ').trim())
      }),
    )
  })

  test('without braces is its only part, and is written as it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (any) => {
        const text = any.replaceAll(/[{}]/gu, '-')
        expect(partsOf(text)).toEqual([text])
        expect(renderText(text, {})).toEqual({ text, missing: [] })
      }),
    )
  })
})
