import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { looksLikeCode } from './looks-like-code.ts'
import { pasteText } from './paste.ts'
import { htmlToMarkdown } from './to-markdown.ts'

describe('rich text becomes Markdown', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['bold, italic, struck and code', '<p><b>a</b> <i>b</i> <s>c</s> <code>d</code></p>', '**a** _b_ ~~c~~ `d`'],
    ['markers hug the words', 'see <strong> this </strong>now', 'see **this** now'],
    ['a bold that is not', '<b style="font-weight:normal"><p>plain</p></b>', 'plain'],
    ['styles of an office suite', '<span style="font-weight:700;font-style:italic">x</span>', '_**x**_'],
    [
      'links',
      '<a href="https://a.b/c">words</a> and <a href="https://a.b/">https://a.b/</a>',
      '[words](https://a.b/c) and https://a.b/',
    ],
    ['no other links', '<a href="javascript:alert(1)">press</a>', 'press'],
    ['headings and paragraphs', '<h2>Plan</h2><p>one<br>two</p><p>three</p>', '## Plan\n\none\ntwo\n\nthree'],
    ['lists in lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</ul>', '- a\n  - b\n- c'],
    ['numbers from where they start', '<ol start="3"><li>c</li><li>d</li></ol>', '3. c\n4. d'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    [
      'code blocks with their language',
      '<pre><code class="language-ts">a &lt; b\n  c</code></pre>',
      '```ts\na < b\n  c\n```',
    ],
    ['tables', '<table><tr><th>a<th>b|c<tr><td>1<td>2</table>', '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |'],
    [
      'what would read as formatting is kept as it is',
      '<p>2 * 3 and snake_case and _x_</p>',
      '2 \\* 3 and snake_case and \\_x\\_',
    ],
    ['a line that would become a list', '<div>- no list</div><div>1. no list</div>', '\\- no list\n\n1\\. no list'],
    ['no scripts, styles and comments', '<style>p{}</style><!--x--><script>alert(1)</script>ok', 'ok'],
    ['a picture by its words', '<img alt="chart" src="x">', 'chart'],
  ]
  test.each(cases)('%s', (_name, html, markdown) => expect(htmlToMarkdown(html)).toBe(markdown))
})

test('whatever is copied is read without failing, and in time', () => {
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

describe('what stands in the field', () => {
  test('plain words are left to the browser', () => {
    expect(pasteText({ plain: 'hello you', html: '<meta><span>hello&nbsp;you</span>', editor: '' })).toBeUndefined()
  })
  test('formatting comes second, so that one undo leaves the plain words', () => {
    expect(pasteText({ plain: 'a b', html: '<b>a</b> b', editor: '' })).toEqual({ first: 'a b', made: '**a** b' })
  })
  test('code gets its fence, with the language when the editor says it', () => {
    expect(pasteText({ plain: code, html: '', editor: '' })).toEqual({ first: code, made: `\`\`\`\n${code}\n\`\`\`` })
    const editor = '{"version":1,"mode":"typescript"}'
    expect(pasteText({ plain: `${code}\n`, html: '<div>x</div>', editor })?.made).toBe(
      `\`\`\`typescript\n${code}\n\`\`\``,
    )
  })
})

test('code is told from prose, lists and quotes', () => {
  expect(looksLikeCode(code)).toBe(true)
  expect(looksLikeCode('{\n  "a": 1,\n  "b": 2\n}')).toBe(true)
  expect(looksLikeCode('SELECT a, b\nFROM t\nWHERE a = 1;')).toBe(true)
  expect(looksLikeCode('Hello,\nthis is a letter.\nBest wishes')).toBe(false)
  expect(looksLikeCode('- one\n- two\n- three')).toBe(false)
  expect(looksLikeCode('const a = 1;\nlet b;')).toBe(false)
})
