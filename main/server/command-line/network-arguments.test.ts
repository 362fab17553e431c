import { expect, test } from 'vitest'
import { readArguments } from './arguments.ts'

const read = (line: string) => readArguments(`--data d ${line}`.trim().split(' '))

const URL = '--url https://chat.example.org'
const TLS = '--tls-cert a.pem --tls-key b.pem'

test('without --listen there is no port for other devices', () => {
  expect(read('')).toMatchObject({ network: undefined, rates: 'loose' })
})

test.each([
  [
    `--listen 0.0.0.0:7443 ${URL} ${TLS}`,
    {
      address: '0.0.0.0',
      port: 7_443,
      url: 'https://chat.example.org',
      certificate: { cert: 'a.pem', key: 'b.pem' },
      rates: 'strict',
    },
  ],
  [
    `--listen [::1]:443 --url https://Chat.example.org:8443/ ${TLS} --limits loose`,
    { address: '::1', port: 443, url: 'https://chat.example.org:8443', rates: 'loose' },
  ],
  [
    `--listen 127.0.0.1:7081 ${URL} --behind-proxy 127.0.0.1,fd00::2`,
    { address: '127.0.0.1', port: 7_081, proxies: ['127.0.0.1', 'fd00::2'], rates: 'strict' },
  ],
])('%s', (line, network) => {
  expect(read(line)).toMatchObject({ network })
})

const PLACE = (text: string): string =>
  `--listen must be an address of this device and a port, as 0.0.0.0:7443 or [::]:7443, not "${text}".`
const ORIGIN = (text: string): string =>
  `--url must be https:// and a name, with nothing after it but a port, not "${text}".`

const LINK_LOCAL =
  'it is link-local, an address that the device gave itself and that others cannot use. Choose one that the network gave it.'

test.each([
  [`--listen [fe80::1]:7443 ${URL} ${TLS}`, `--listen cannot use fe80::1: ${LINK_LOCAL}`],
  [`--listen [fe80::1%eth0]:7443 ${URL} ${TLS}`, `--listen cannot use fe80::1%eth0: ${LINK_LOCAL}`],
  [`--listen 169.254.7.7:7443 ${URL} ${TLS}`, `--listen cannot use 169.254.7.7: ${LINK_LOCAL}`],
  [`--listen 0.0.0.0:7443 --url https://[fe80::1]:7443 ${TLS}`, `--url cannot be [fe80::1]: ${LINK_LOCAL}`],
  [URL, '--url belongs to --listen, which is missing.'],
  [TLS, '--tls-cert belongs to --listen, which is missing.'],
  ['--behind-proxy 127.0.0.1', '--behind-proxy belongs to --listen, which is missing.'],
  [`--listen 7443 ${URL} ${TLS}`, PLACE('7443')],
  [`--listen :7443 ${URL} ${TLS}`, PLACE(':7443')],
  [`--listen chat.example.org:7443 ${URL} ${TLS}`, PLACE('chat.example.org:7443')],
  [`--listen 0.0.0.0:70000 ${URL} ${TLS}`, PLACE('0.0.0.0:70000')],
  [`--listen ::1:7443 ${URL} ${TLS}`, PLACE('::1:7443')],
  [`--listen [127.0.0.1]:7443 ${URL} ${TLS}`, PLACE('[127.0.0.1]:7443')],
  [`--listen 0.0.0.0:3030 ${URL} ${TLS}`, '--listen cannot use port 3030: clients of the contract rewrite it.'],
  [`--listen 0.0.0.0:7443 ${TLS}`, '--listen needs --url: the address that people type, as https://chat.example.org.'],
  [`--listen 0.0.0.0:7443 --url http://chat.example.org ${TLS}`, ORIGIN('http://chat.example.org')],
  [`--listen 0.0.0.0:7443 --url chat.example.org ${TLS}`, ORIGIN('chat.example.org')],
  [`--listen 0.0.0.0:7443 --url https://a.example/b ${TLS}`, ORIGIN('https://a.example/b')],
  [`--listen 0.0.0.0:7443 --url https://u:p@a.example ${TLS}`, ORIGIN('https://u:p@a.example')],
  [
    `--listen 0.0.0.0:7443 --url https://a.example:3030 ${TLS}`,
    '--url cannot have port 3030: clients of the contract rewrite it.',
  ],
  [
    `--listen 0.0.0.0:7443 ${URL}`,
    '--listen needs --tls-cert and --tls-key, or --behind-proxy: without them, tokens and messages would cross the network unencrypted.',
  ],
  [
    `--listen 127.0.0.1:7443 ${URL}`,
    '--listen needs --tls-cert and --tls-key, or --behind-proxy: without them, tokens and messages would cross the network unencrypted.',
  ],
  [`--listen 0.0.0.0:7443 ${URL} --tls-key b.pem`, '--tls-cert is missing: the file of the certificate, in PEM form.'],
  [
    `--listen 0.0.0.0:7443 ${URL} --tls-cert a.pem`,
    '--tls-key is missing: the file of the key of the certificate, in PEM form.',
  ],
  [
    `--listen 0.0.0.0:7443 ${URL} ${TLS} --behind-proxy 127.0.0.1`,
    '--behind-proxy and --tls-cert exclude each other: TLS ends either at the proxy or here.',
  ],
  [
    `--listen 0.0.0.0:7443 ${URL} --behind-proxy proxy.example`,
    '--behind-proxy must be the addresses of the proxies, as 127.0.0.1 or 10.0.0.2,10.0.0.3, not "proxy.example".',
  ],
])('%s is refused', (line, message) => {
  expect(read(line)).toBe(message)
})
