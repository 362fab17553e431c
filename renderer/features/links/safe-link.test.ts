import { describe, expect, test } from 'vitest'
import { asksFirst, hostToShow, safeLink } from './safe-link.ts'

describe('what may be opened', () => {
  test.each(['https://example.org/a?b=c#d', 'http://example.org', 'mailto:ola@example.org', 'HTTPS://EXAMPLE.org'])(
    '%s is a link',
    (address) => {
      expect(safeLink(address)).toBeDefined()
    },
  )

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'smb://host/share',
    'ms-msdt:/id',
    'parlor://x',
    'blob:https://example.org/1',
    'https://user:pass@example.org',
    'https://user@example.org',
    'https://exam\u202Eple.org',
    'https://exa\u200Bmple.org',
    ' https://example.org',
    'https://',
    '//example.org',
    'example.org',
    `https://example.org/${'a'.repeat(2_100)}`,
    '',
  ])('%j stays text', (address) => {
    expect(safeLink(address)).toBeUndefined()
  })
})

describe('what a link shows', () => {
  const shown = (address: string, text: string) => {
    const link = safeLink(address)
    return link === undefined ? 'refused' : hostToShow(link, text)
  }

  test('words that name another host get the real one beside them', () => {
    expect(shown('https://evil.example/login', 'paypal.com')).toBe('evil.example')
    expect(shown('https://evil.example/', 'https://paypal.com/login')).toBe('evil.example')
    expect(shown('https://evil.example/', 'www.paypal.com')).toBe('evil.example')
  })

  test('honest words get nothing', () => {
    expect(shown('https://example.org/a', 'https://example.org/a')).toBeUndefined()
    expect(shown('https://example.org/a', 'example.org')).toBeUndefined()
    expect(shown('https://example.org/a', 'our page')).toBeUndefined()
    expect(shown('https://example.org/a', 'see section 4.2 of it')).toBeUndefined()
  })

  test('look-alike letters show the host as the network knows it', () => {
    expect(shown('https://аррle.com/', 'https://аррle.com/')).toBe('xn--le-6kc8da.com')
    expect(shown('https://аpple.com/', 'click')).toMatch(/^xn--/)
  })

  test('a host in one script of its own country is left alone', () => {
    expect(shown('https://президент.рф/', 'https://президент.рф/')).toBeUndefined()
    expect(shown('https://łódź.pl/', 'https://łódź.pl/')).toBeUndefined()
  })

  test('no encryption and foreign letters ask first', () => {
    const asks = (address: string) => {
      const link = safeLink(address)
      return link !== undefined && asksFirst(link)
    }
    expect(asks('http://example.org')).toBe(true)
    expect(asks('https://аррle.com')).toBe(true)
    expect(asks('https://example.org')).toBe(false)
    expect(asks('mailto:a@example.org')).toBe(false)
  })
})
