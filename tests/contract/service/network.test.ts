import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { RENEWED, SERVER } from '#kit/certificates.ts'
import { askNetwork, certificateAt } from '#kit/network.ts'
import { ending, newFolder, serving, stop } from './service.ts'

const ADDRESS = '127.0.0.7'
const HOST = 'chat.test:7443'

const keys = newFolder()
const files = { cert: join(keys, 'cert.pem'), key: join(keys, 'key.pem') }
const put = (pair: { readonly cert: string; readonly key: string }): void => {
  writeFileSync(files.cert, pair.cert)
  writeFileSync(files.key, pair.key)
}
beforeAll(() => put(SERVER))

const place = (port: string): readonly string[] => ['--listen', `${ADDRESS}:${port}`, '--url', `https://${HOST}`]
const network = (port = '0'): readonly string[] => place(port).concat('--tls-cert', files.cert, '--tls-key', files.key)

test('a person added by the operator signs in over TLS, the certificate is renewed on SIGHUP, and SIGTERM ends it', async () => {
  const folder = newFolder()
  const service = await serving(['--data', folder, ...network()])
  const { child, line } = service
  const port = line.port ?? 0
  const own = new globalThis.URL(line.url).port
  const token = await ending(['token', 'ann', '--data', folder, '--create', '--port', own])
  const path = `/app?api_key=${line.apiKey}&user_id=ann`
  const asAnn = { Authorization: token.out.trim(), 'stream-auth-type': 'jwt' }
  const people = `${line.url}/users?api_key=${line.apiKey}&user_id=ann`
  const details = { id: 'ann', name: 'Ann Kowalska', office: 'third floor' }
  await fetch(people, {
    method: 'POST',
    headers: { ...asAnn, 'Content-Type': 'application/json' },
    body: JSON.stringify({ users: { ann: details } }),
  })
  const again = await ending(['token', 'ann', '--data', folder, '--create', '--port', own])
  const filter = encodeURIComponent(JSON.stringify({ filter_conditions: { id: 'ann' } }))
  const known = await (await fetch(`${people}&payload=${filter}`, { headers: asAnn })).json()
  const call = await askNetwork({ address: ADDRESS, port }, path, {
    method: 'GET',
    headers: { host: HOST, ...asAnn },
  })
  put(RENEWED)
  child.kill('SIGHUP')
  await service.logged('certificate-renewed')
  const renewed = await certificateAt(ADDRESS, port)
  put(SERVER)

  expect(token).toMatchObject({ code: 0, err: '' })
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(known).toMatchObject({ users: [details] })
  expect(call.status).toBe(200)
  expect(renewed.toString()).toBe(RENEWED.cert)
  expect(await stop(child)).toBe(0)
})

test('adding a person to no server, or to one of another folder, says so and prints no token', async () => {
  const [one, other] = [newFolder(), newFolder()]
  const first = await serving(['--data', one])
  const second = await serving(['--data', other])
  await stop(second.child)
  const port = new globalThis.URL(first.line.url).port
  const gone = new globalThis.URL(second.line.url).port
  const wrong = await ending(['token', 'ann', '--data', other, '--create', '--port', port])
  const nobody = await ending(['token', 'ann', '--data', other, '--create', '--port', gone])
  await stop(first.child)

  expect(wrong).toEqual({
    code: 1,
    out: '',
    err: `The server on port ${port} is not the one of this folder: it refused its keys.\n`,
  })
  expect(nobody).toEqual({
    code: 1,
    out: '',
    err: `No server answers on port ${gone} of this device. Start it, or give the port that it uses.\n`,
  })
})

test('a port that cannot be opened, or a certificate that cannot be used, ends the start with one line and leaves the folder free', async () => {
  const holder = await serving(['--data', newFolder(), ...network()])
  const taken = String(holder.line.port)
  const folder = newFolder()
  const port = await ending(['--data', folder, ...network(taken)])
  const name = await ending(['--data', folder, ...network().map((word) => word.replace('chat.test', 'chat.example'))])
  const absent = await ending([
    '--data',
    folder,
    ...network().map((word) => (word === files.key ? `${word}.old` : word)),
  ])
  const address = await ending(['--data', folder, ...network().map((word) => word.replace(ADDRESS, '192.0.2.1'))])
  const plain = await ending(['--data', folder, '--listen', '0.0.0.0:0', '--url', `https://${HOST}`])
  await stop(holder.child)
  const { child } = await serving(['--data', folder])

  const start = 'The Parlor server could not start.'
  expect([port, name, absent, address].map(({ code, out, err }) => [code, out, err])).toEqual([
    [1, '', `${start} Port ${taken} of ${ADDRESS} is taken by another program. Choose another one with --listen.\n`],
    [
      1,
      '',
      `${start} ${files.cert} is not for chat.example of --url, but for DNS:localhost, DNS:chat.test, IP Address:127.0.0.1.\n`,
    ],
    [1, '', `${start} ${files.key}.old of --tls-key is not there.\n`],
    [1, '', `${start} 192.0.2.1 of --listen is no address of this device. 0.0.0.0 means all of them.\n`],
  ])
  expect(plain.code).toBe(2)
  expect(plain.err).toMatch(/^--listen needs --tls-cert and --tls-key, or --behind-proxy/)
  expect(await stop(child)).toBe(0)
  expect(readFileSync(files.cert, 'utf8')).toBe(SERVER.cert)
})
