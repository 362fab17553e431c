import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pasteText, htmlToMarkdown } from './paste.ts'

describe('rich text becomes Markdown', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['bold, italic, struck and code', '<p><b>a</b> <i>b</i> <s>c</s> <code>d</code></p>', '**a** _b_ ~~c~~ `d`'],
    ['markers without inner spaces', 'see <strong> this </strong>now', 'see **this** now'],
    ['a bold element that is not bold', '<b style="font-weight:normal"><p>plain</p></b>', 'plain'],
    ['styles of an office suite', '<span style="font-weight:700;font-style:italic">x</span>', '_**x**_'],
    [
      'links',
      '<a href="https://a.b/c">words</a> and <a href="https://a.b/">https://a.b/</a>',
      '[words](https://a.b/c) and https://a.b/',
    ],
    ['links of other schemes as text', '<a href="javascript:alert(1)">press</a>', 'press'],
    ['headings and paragraphs', '<h2>Plan</h2><p>one<br>two</p><p>three</p>', '## Plan\n\none\ntwo\n\nthree'],
    ['lists in lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</ul>', '- a\n  - b\n- c'],
    ['numbers from the start attribute', '<ol start="3"><li>c</li><li>d</li></ol>', '3. c\n4. d'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    [
      'code blocks with their language',
      '<pre><code class="language-ts">a &lt; b\n  c</code></pre>',
      '```ts\na < b\n  c\n```',
    ],
    ['tables', '<table><tr><th>a<th>b|c<tr><td>1<td>2</table>', '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |'],
    [
      'characters that would read as formatting are escaped',
      '<p>2 * 3 and snake_case and _x_</p>',
      '2 \\* 3 and snake_case and \\_x\\_',
    ],
    [
      'a line that would become a list is escaped',
      '<div>- no list</div><div>1. no list</div>',
      '\\- no list\n\n1\\. no list',
    ],
    ['scripts, styles and comments are dropped', '<style>p{}</style><!--x--><script>alert(1)</script>ok', 'ok'],
    ['a picture becomes its alt text', '<img alt="chart" src="x">', 'chart'],
  ]
  test.each(cases)('%s', (_name, html, markdown) => expect(htmlToMarkdown(html)).toBe(markdown))
})

test('any input is converted without an error and in reasonable time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<b>', '</b>', '<ul>', '<li>', '<td>', '<table>', '<', '&#x41;', '"', 'x ')),
      (parts) => {
        expect(typeof htmlToMarkdown(parts.join(''))).toBe('string')
      },
    ),
    { numRuns: 200 },
  )
  expect(htmlToMarkdown('<b>'.repeat(5_000) + 'deep')).toContain('deep')
})

const code = 'const a = 1;\nif (a) {\n  go();\n}'

describe('the text to insert', () => {
  test('plain text is left to the browser', () => {
    expect(pasteText({ plain: 'hello you', html: '<meta><span>hello&nbsp;you</span>', editor: '' })).toBeUndefined()
  })
  test('formatting is a second step, so that one undo leaves the plain text', () => {
    expect(pasteText({ plain: 'a b', html: '<b>a</b> b', editor: '' })).toEqual({ first: 'a b', second: '**a** b' })
  })
  test('code gets a fence, with the language if the editor gives it', () => {
    expect(pasteText({ plain: code, html: '', editor: '' })).toEqual({ first: code, second: `\`\`\`\n${code}\n\`\`\`` })
    const editor = '{"version":1,"mode":"typescript"}'
    expect(pasteText({ plain: `${code}\n`, html: '<div>x</div>', editor })?.second).toBe(
      `\`\`\`typescript\n${code}\n\`\`\``,
    )
  })
})

test.each([
  [code, true],
  ['{\n  "a": 1,\n  "b": 2\n}', true],
  ['SELECT a, b\nFROM t\nWHERE a = 1;', true],
  ['Hello,\nthis is a letter.\nBest wishes', false],
  ['- one\n- two\n- three', false],
  ['const a = 1;\nlet b;', false],
])('of %j only code gets a fence: %s', (plain, isCode) => {
  const fenced = `\`\`\`\n${plain}\n\`\`\``
  expect(pasteText({ plain, html: '', editor: '' })).toEqual(isCode ? { first: plain, second: fenced } : undefined)
})
