import { describe, expect, test } from 'vitest'
import { asksFirst, hostToShow, safeLink } from './safe-link.ts'

describe('addresses that can be opened', () => {
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

describe('the host shown beside a link', () => {
  const shown = (address: string, text: string) => {
    const link = safeLink(address)
    return link === undefined ? 'refused' : hostToShow(link, text)
  }

  test('is the real one if the text names another host', () => {
    expect(shown('https://evil.example/login', 'paypal.com')).toBe('evil.example')
    expect(shown('https://evil.example/', 'https://paypal.com/login')).toBe('evil.example')
    expect(shown('https://evil.example/', 'www.paypal.com')).toBe('evil.example')
  })

  test('is not shown if the text matches the address', () => {
    expect(shown('https://example.org/a', 'https://example.org/a')).toBeUndefined()
    expect(shown('https://example.org/a', 'example.org')).toBeUndefined()
    expect(shown('https://example.org/a', 'our page')).toBeUndefined()
    expect(shown('https://example.org/a', 'see section 4.2 of it')).toBeUndefined()
  })

  test('is in punycode for look-alike letters', () => {
    expect(shown('https://аррle.com/', 'https://аррle.com/')).toBe('xn--le-6kc8da.com')
    expect(shown('https://аpple.com/', 'click')).toMatch(/^xn--/)
  })

  test('is not shown for a host in the script of its own country', () => {
    expect(shown('https://президент.рф/', 'https://президент.рф/')).toBeUndefined()
    expect(shown('https://łódź.pl/', 'https://łódź.pl/')).toBeUndefined()
  })

  test('opening asks first without encryption and for foreign letters', () => {
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
