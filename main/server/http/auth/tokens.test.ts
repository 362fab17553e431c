import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createToken, verifyToken } from './identify.ts'

const SECRET = 'a-secret-for-tests-of-more-than-32-bytes'
/** Epoch milliseconds. */
const NOW = 1_800_000_000_000
const S = NOW / 1_000

const b64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url')
const hmac = (body: string, algorithm = 'sha256', secret = SECRET): string =>
  createHmac(algorithm, secret).update(body).digest('base64url')

/** A token from raw JSON texts, correctly signed. */
function raw(header: string, payload: string, secret = SECRET): string {
  const body = `${b64(header)}.${b64(payload)}`
  return `${body}.${hmac(body, 'sha256', secret)}`
}
const HEADER = '{"alg":"HS256","typ":"JWT"}'
const signed = (payload: object): string => raw(HEADER, JSON.stringify(payload))
const headed = (header: object): string => raw(JSON.stringify(header), '{"user_id":"ann"}')
const good = signed({ user_id: 'ann' })
const [h = '', p = '', s = ''] = good.split('.')
/** The last character flipped to another value of the same spare bits. */
const flip = (text: string, at: number): string => {
  const next = text[at] === 'A' ? 'B' : 'A'
  return text.slice(0, at) + next + text.slice(at + 1)
}

const ACCEPTED: readonly [name: string, token: string, userId: string | undefined][] = [
  ['a user', good, 'ann'],
  ['no typ', raw('{"alg":"HS256"}', '{"user_id":"ann"}'), 'ann'],
  ['kid is ignored', headed({ alg: 'HS256', kid: '../../etc/passwd' }), 'ann'],
  ['jku is ignored', headed({ alg: 'HS256', jku: 'https://evil.example/keys' }), 'ann'],
  ['x5u is ignored', headed({ alg: 'HS256', x5u: 'https://evil.example/cert' }), 'ann'],
  ['jwk is ignored', headed({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }), 'ann'],
  ['extra claims', signed({ user_id: 'ann', colour: 'red', nested: { user_id: 'eve' } }), 'ann'],
  ['the same key in different objects', signed({ user_id: 'ann', a: { x: 1 }, b: { x: 2 } }), 'ann'],
  ['a repeated word as a value', signed({ user_id: 'user_id', x: 'user_id' }), 'user_id'],
  ['exp in a second', signed({ user_id: 'ann', exp: S + 1 }), 'ann'],
  ['exp with a fraction', signed({ user_id: 'ann', exp: S + 0.5 }), 'ann'],
  ['nbf now', signed({ user_id: 'ann', nbf: S }), 'ann'],
  ['nbf within the leeway', signed({ user_id: 'ann', nbf: S + 10 }), 'ann'],
  ['iat within the leeway', signed({ user_id: 'ann', iat: S + 10 }), 'ann'],
  ['iat long ago', signed({ user_id: 'ann', iat: 1 }), 'ann'],
  ['server', signed({ server: true }), undefined],
  ['server as a text', signed({ server: 'true' }), undefined],
  ['server beside an empty user', signed({ server: true, user_id: '' }), undefined],
  ['server acting for a user', signed({ server: true, user_id: 'ann' }), 'ann'],
  ['a name beyond ASCII', signed({ user_id: 'ann', name: 'Zażółć' }), 'ann'],
  ['made by us', createToken({ userId: 'ann' }, SECRET), 'ann'],
  ['made by us with times', createToken({ userId: 'ann', issuedAtMs: NOW, expiresAtMs: NOW + 60_000 }, SECRET), 'ann'],
]

const none = `${b64('{"alg":"none"}')}.${p}.`
const hs384 = `${b64('{"alg":"HS384"}')}.${p}`
const hs512 = `${b64('{"alg":"HS512"}')}.${p}`

const REFUSED: readonly [name: string, token: string, code: string][] = [
  ['empty', '', 'tokenSignature'],
  ['one part', h, 'tokenSignature'],
  ['two parts', `${h}.${p}`, 'tokenSignature'],
  ['four parts', `${good}.x`, 'tokenSignature'],
  ['five parts, as encrypted tokens have', `${good}.x.y`, 'tokenSignature'],
  ['no signature', `${h}.${p}.`, 'tokenSignature'],
  ['no header', `.${p}.${s}`, 'tokenSignature'],
  ['no payload', `${h}..${s}`, 'tokenSignature'],
  ['alg none', none, 'tokenSignature'],
  ['alg none with our signature', `${none}${hmac(none.slice(0, -1))}`, 'tokenSignature'],
  ['alg None', headed({ alg: 'None' }), 'tokenSignature'],
  ['alg NONE', headed({ alg: 'NONE' }), 'tokenSignature'],
  ['alg HS384, signed so', `${hs384}.${hmac(hs384, 'sha384')}`, 'tokenSignature'],
  ['alg HS512, signed so', `${hs512}.${hmac(hs512, 'sha512')}`, 'tokenSignature'],
  ['alg HS384 over an HS256 signature', headed({ alg: 'HS384' }), 'tokenSignature'],
  ['alg RS256', headed({ alg: 'RS256' }), 'tokenSignature'],
  ['alg ES256', headed({ alg: 'ES256' }), 'tokenSignature'],
  ['alg EdDSA', headed({ alg: 'EdDSA' }), 'tokenSignature'],
  ['alg in lower case', headed({ alg: 'hs256' }), 'tokenSignature'],
  ['alg with a space', headed({ alg: 'HS256 ' }), 'tokenSignature'],
  ['alg as a list', headed({ alg: ['HS256'] }), 'tokenSignature'],
  ['alg as null', headed({ alg: null }), 'tokenSignature'],
  ['alg as a number', headed({ alg: 256 }), 'tokenSignature'],
  ['no alg', headed({ typ: 'JWT' }), 'tokenSignature'],
  ['crit', headed({ alg: 'HS256', crit: ['exp'] }), 'tokenSignature'],
  ['an empty crit', headed({ alg: 'HS256', crit: [] }), 'tokenSignature'],
  ['alg twice, the good one last', raw('{"alg":"none","alg":"HS256"}', '{"user_id":"ann"}'), 'tokenSignature'],
  ['alg twice, escaped', raw('{"alg":"HS256","\\u0061lg":"HS256"}', '{"user_id":"ann"}'), 'tokenSignature'],
  ['user_id twice', raw(HEADER, '{"user_id":"eve","user_id":"ann"}'), 'tokenSignature'],
  ['exp twice', raw(HEADER, `{"user_id":"ann","exp":1,"exp":${S + 9}}`), 'tokenSignature'],
  ['a key twice further in', raw(HEADER, '{"user_id":"ann","a":{"b":1,"b":2}}'), 'tokenSignature'],
  ['a header that is a list', raw('["HS256"]', '{"user_id":"ann"}'), 'tokenSignature'],
  ['a header that is a text', raw('"HS256"', '{"user_id":"ann"}'), 'tokenSignature'],
  ['a header that is null', raw('null', '{"user_id":"ann"}'), 'tokenSignature'],
  ['a header that is no JSON', raw('{alg:HS256}', '{"user_id":"ann"}'), 'tokenSignature'],
  ['a payload that is a list', raw(HEADER, '[{"user_id":"ann"}]'), 'tokenSignature'],
  ['a payload that is null', raw(HEADER, 'null'), 'tokenSignature'],
  ['a payload that is no JSON', raw(HEADER, '{"user_id":"ann"'), 'tokenSignature'],
  ['a payload with a comment', raw(HEADER, '{"user_id":"ann"/**/}'), 'tokenSignature'],
  [
    'bytes that are no UTF-8',
    raw(HEADER, '{"user_id":"ann"}').replace(p, b64(Buffer.from([0x7b, 0xff, 0x7d]))),
    'tokenSignature',
  ],
  ['padding in the header', `${h}=.${p}.${s}`, 'tokenSignature'],
  ['padding in the signature', `${h}.${p}.${s}=`, 'tokenSignature'],
  ['a space before', ` ${good}`, 'tokenSignature'],
  ['a space after', `${good} `, 'tokenSignature'],
  ['a line break', `${h}.${p}\n.${s}`, 'tokenSignature'],
  ['the other base64 alphabet', `${h}.${p}.${s.slice(0, -2)}+/`, 'tokenSignature'],
  ['spare bits in the signature', `${h}.${p}.${s.slice(0, -1)}${s.endsWith('9') ? '-' : '9'}`, 'tokenSignature'],
  ['first byte of the signature', `${h}.${p}.${flip(s, 0)}`, 'tokenSignature'],
  ['middle of the signature', `${h}.${p}.${flip(s, 20)}`, 'tokenSignature'],
  ['a short signature', `${h}.${p}.${s.slice(0, 20)}`, 'tokenSignature'],
  ['a long signature', `${h}.${p}.${s}AAAA`, 'tokenSignature'],
  ['another payload under the same signature', `${h}.${b64('{"user_id":"eve"}')}.${s}`, 'tokenSignature'],
  ['another header under the same signature', `${b64('{"alg":"HS256"}')}.${p}.${s}`, 'tokenSignature'],
  ['another secret', raw(HEADER, '{"user_id":"ann"}', 'another-secret'), 'tokenSignature'],
  ['an empty secret', raw(HEADER, '{"user_id":"ann"}', ''), 'tokenSignature'],
  ['a developer token', `${h}.${p}.devtoken`, 'tokenSignature'],
  ['longer than 4 KB', signed({ user_id: 'ann', x: 'y'.repeat(4_000) }), 'tokenSignature'],
  ['a header longer than 1 KB', headed({ alg: 'HS256', kid: 'x'.repeat(1_000) }), 'tokenSignature'],
  ['exp as a text', signed({ user_id: 'ann', exp: String(S + 60) }), 'tokenSignature'],
  ['exp as null', signed({ user_id: 'ann', exp: null }), 'tokenSignature'],
  ['exp beyond every number', raw(HEADER, '{"user_id":"ann","exp":1e999}'), 'tokenSignature'],
  ['nbf as a text', signed({ user_id: 'ann', nbf: '0' }), 'tokenSignature'],
  ['iat as an object', signed({ user_id: 'ann', iat: {} }), 'tokenSignature'],
  ['exp now', signed({ user_id: 'ann', exp: S }), 'tokenExpired'],
  ['exp a second ago', signed({ user_id: 'ann', exp: S - 1 }), 'tokenExpired'],
  ['exp 0', signed({ user_id: 'ann', exp: 0 }), 'tokenExpired'],
  ['exp below 0', signed({ user_id: 'ann', exp: -1 }), 'tokenExpired'],
  ['nbf beyond the leeway', signed({ user_id: 'ann', nbf: S + 11 }), 'tokenNotValidYet'],
  ['iat beyond the leeway', signed({ user_id: 'ann', iat: S + 11 }), 'tokenBeforeIssued'],
  ['exp is looked at before nbf', signed({ user_id: 'ann', exp: 1, nbf: S + 99 }), 'tokenExpired'],
  ['nbf is looked at before iat', signed({ user_id: 'ann', nbf: S + 99, iat: S + 99 }), 'tokenNotValidYet'],
  ['the signature is looked at before exp', `${signed({ user_id: 'ann', exp: 1 }).slice(0, -4)}AAAA`, 'tokenSignature'],
  ['no user', signed({}), 'authentication'],
  ['an empty user', signed({ user_id: '' }), 'authentication'],
  ['a user that is a number', signed({ user_id: 7 }), 'authentication'],
  ['a user that is a list', signed({ user_id: ['ann'] }), 'authentication'],
  ['a user that is null', signed({ user_id: null }), 'authentication'],
  ['server that is another text', signed({ server: 'yes' }), 'authentication'],
  ['server that is 1', signed({ server: 1 }), 'authentication'],
]

test.each(ACCEPTED)('SRV-01 accepted: %s', (_name, token, userId) => {
  const result = verifyToken(token, SECRET, NOW)
  expect(result.ok && result.claims.userId).toBe(userId)
})

test.each(REFUSED)('SRV-01 refused: %s', (_name, token, code) => {
  const result = verifyToken(token, SECRET, NOW)
  expect(result.ok ? 'accepted' : result.code).toBe(code)
})

test('SRV-01 the table has more than ninety rows', () => {
  expect(ACCEPTED.length + REFUSED.length).toBeGreaterThanOrEqual(90)
})

test('a verified token is refused once it has expired, and with another secret', () => {
  const token = createToken({ userId: 'ann', expiresAtMs: 5_000 }, SECRET)
  expect(verifyToken(token, SECRET, 4_000).ok).toBe(true)
  expect(verifyToken(token, SECRET, 6_000)).toMatchObject({ ok: false, code: 'tokenExpired' })
  expect(verifyToken(token, `${SECRET}!`, 4_000)).toMatchObject({ ok: false, code: 'tokenSignature' })
})
