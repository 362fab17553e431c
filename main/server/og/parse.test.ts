import { expect, test } from 'vitest'
import { readHead } from './previews.ts'

const metaOf = (html: string) => Object.fromEntries(readHead(html).meta)

test('titles and meta tags are read whatever their quotes, case and order', () => {
  const html = `<!DOCTYPE html><HTML><head><TITLE> A &amp; B </TITLE>
    <meta content='Say "hi" > all' property="og:title"><META NAME=description CONTENT=short />
    <meta property="og:title" content="second"></head><body><meta name="late" content="x">`
  expect(readHead(html).title).toBe('A & B')
  expect(metaOf(html)).toEqual({ 'og:title': 'Say "hi" > all', description: 'short' })
})

test('comments, scripts and styles are ignored', () => {
  const html = `<!-- <meta name="a" content="1"> --><script>"<meta name='b' content='2'>"</script>
    <style><meta name="c" content="3"></style><meta name="d" content="&#x41;&#66;&lt;b&gt;">`
  expect(metaOf(html)).toEqual({ d: 'AB<b>' })
})

test('texts are plain: no control characters, no direction marks', () => {
  expect(metaOf('<meta name="x" content="a\u202eb\u0000c&#0;&#xd800;&#8238;d">')).toEqual({
    x: 'a b cd'.replace('cd', 'c d'),
  })
})

test.each([
  ['tags without an end', '<meta '.repeat(40_000)],
  ['quotes without an end', '<meta content="'.repeat(17_000)],
  ['deep nesting', '<div>'.repeat(50_000)],
  ['comments without an end', '<!--'.repeat(60_000)],
  ['scripts without an end', '<script>'.repeat(30_000)],
  ['entities', `<meta name=a content="${'&'.repeat(200_000)}">`],
])('SRV-35 %s are read in under a second', (_name, html) => {
  const started = performance.now()
  readHead(html)
  expect(performance.now() - started).toBeLessThan(1_000)
})
