import { describe, expect, test } from 'vitest'
import type { LinkPreviewChoices } from '../../domain/attachment.ts'
import {
  blockedHost,
  linkHost,
  planPreviews,
  previewLinks,
  previewsToSend,
  previewDecision,
  withChannel,
  type PreviewEntry,
} from './link-previews.ts'

describe('links of a text', () => {
  test.each([
    ['see https://site.example/a.', ['https://site.example/a']],
    ['(www.site.example) and site.example/b?x=1!', ['https://www.site.example', 'https://site.example/b?x=1']],
    ['HTTP://Site.Example twice https://a.example https://a.example', ['HTTP://Site.Example', 'https://a.example']],
    ['żółw: https://żółw.example/ścieżka', ['https://żółw.example/ścieżka']],
    ['notes.md, node.js, e.g. 10.5 and mail me@site.example/x', []],
    ['http://localhost:3000/x http://10.0.0.1/x http://[::1]/', []],
    ['http://user@site.example/ ftp://site.example/', []],
    ['`https://code.example/a` and ```\nhttps://code.example/b\n```', []],
    ['plain words', []],
  ])('%s', (text, links) => expect(previewLinks(text)).toEqual(links))

  test('three links of a message, and no URL longer than 2048', () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example`).join(' ')
    expect(previewLinks(many)).toHaveLength(3)
    expect(previewLinks(`https://a.example/${'x'.repeat(2_048)}`)).toEqual([])
  })

  test('a long text without a match is scanned quickly', () => {
    expect(previewLinks(`${'a.'.repeat(20_000)} ${'a'.repeat(40_000)}`)).toEqual([])
  })
})

test('the host is the familiar name of the site', () => {
  expect(linkHost('https://www.Site.example:8080/a')).toBe('site.example')
  expect(linkHost('nothing')).toBe('')
  expect(['https://Site.example/x', '*.site.example', ' www.a.pl ', 'localhost', 'a b.c'].map(blockedHost)).toEqual([
    'site.example',
    'site.example',
    'a.pl',
    undefined,
    undefined,
  ])
})

describe('whether a link is previewed', () => {
  const place = { account: 'one', cid: 'team:a' }
  const choices = (over: Partial<LinkPreviewChoices>): LinkPreviewChoices => ({
    mode: 'on',
    channels: {},
    blocked: [],
    ...over,
  })
  const request = (url: string, over: Partial<LinkPreviewChoices> = {}) => previewDecision(url, choices(over), place)

  test('always, never, or after asking', () => {
    expect((['on', 'off', 'ask'] as const).map((mode) => request('https://a.example', { mode }))).toEqual([
      'look',
      'no',
      'ask',
    ])
  })
  test('a channel differs, for one account only', () => {
    const off = withChannel(choices({}), place, false)
    expect(previewDecision('https://a.example', off, place)).toBe('no')
    expect(previewDecision('https://a.example', off, { ...place, account: 'two' })).toBe('look')
    expect(previewDecision('https://a.example', withChannel(off, place, undefined), place)).toBe('look')
    expect(previewDecision('https://a.example', withChannel(choices({ mode: 'off' }), place, true), place)).toBe('look')
  })
  test('a blocked site stays blocked with its subdomains, even where previews are on', () => {
    const blocked = { blocked: ['a.example'], channels: { one: { 'team:a': true } } }
    expect(
      ['https://a.example/x', 'https://docs.a.example', 'https://aa.example'].map((url) => request(url, blocked)),
    ).toEqual(['no', 'no', 'look'])
  })
})

describe('the previews of a composition', () => {
  const a = 'https://a.example'
  const loaded: PreviewEntry = { url: a, state: 'loaded', preview: { url: a, title: 'A' } }
  const online = { online: true }

  test('a new link is loaded, and pending without a connection', () => {
    expect(planPreviews([], [a], online)).toEqual({ entries: [{ url: a, state: 'loading' }], look: [a], stop: [] })
    const waiting = planPreviews([], [a], { online: false })
    expect(waiting).toEqual({ entries: [{ url: a, state: 'pending' }], look: [], stop: [] })
    expect(planPreviews(waiting.entries, [a], online).look).toEqual([a])
  })
  test('a link that is still in the text keeps its preview, also with a trailing slash', () => {
    expect(planPreviews([loaded], [`${a}/`], online)).toEqual({ entries: [loaded], look: [], stop: [] })
  })
  test('a removed link removes its preview and stops its request', () => {
    expect(planPreviews([{ url: a, state: 'loading' }], [], online)).toEqual({ entries: [], look: [], stop: [a] })
    expect(planPreviews([loaded], [], online).entries).toEqual([])
  })
  test('a dismissed preview stays dismissed when its link comes back', () => {
    const removed = planPreviews([{ ...loaded, state: 'dismissed' }], [], online)
    expect(planPreviews(removed.entries, [a], online)).toMatchObject({ entries: [{ state: 'dismissed' }], look: [] })
  })
  test('a failed preview is not requested again automatically', () => {
    expect(planPreviews([{ url: a, state: 'failed' }], [a], online).look).toEqual([])
  })
  test('loaded previews are sent and the server adds none; while one is loading, none are sent', () => {
    const b = 'https://b.example'
    expect(previewsToSend([loaded], [a])).toEqual({ urls: [a], skipEnrich: true })
    expect(previewsToSend([loaded, { url: b, state: 'loading' }], [a, b])).toEqual({ urls: [], skipEnrich: false })
    expect(previewsToSend([{ ...loaded, state: 'dismissed' }], [a])).toEqual({ urls: [], skipEnrich: true })
    expect(previewsToSend([loaded], [])).toEqual({ urls: [], skipEnrich: false })
    expect(previewsToSend([{ url: a, state: 'failed' }], [a])).toEqual({ urls: [], skipEnrich: false })
  })
})
