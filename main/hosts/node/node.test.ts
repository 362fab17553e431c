import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { KEEP_ALIVE_MS, nodeHttp } from './ports.ts'
import { defaultDataFolder, openDataFolder, takeProfileLock } from './profile.ts'
import { fileSecrets } from './secrets-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-node-'))
})

describe('the profile', () => {
  test('a second Parlor learns which process has it open', () => {
    // A process that lives and is not this one: the parent.
    writeFileSync(join(folder, 'profile.lock'), JSON.stringify({ pid: process.ppid, startedAt: '' }))
    expect(() => takeProfileLock(folder)).toThrow(`already open in another Parlor (process ${process.ppid})`)
  })
  test.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 5, startedAt: '1' })],
    ['of a younger process with the same number', JSON.stringify({ pid: process.ppid, startedAt: '1' })],
    ['half written', '{"pi'],
  ])('a lock %s is taken over', (_name, text) => {
    writeFileSync(join(folder, 'profile.lock'), text)
    const release = takeProfileLock(folder)
    expect(JSON.parse(readFileSync(join(folder, 'profile.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(() => statSync(join(folder, 'profile.lock'))).toThrow('ENOENT')
  })
  test('a folder that cannot be made is named in one line, at once', () => {
    expect(() => openDataFolder('/proc/parlor')).toThrow('Parlor cannot write to its folder /proc/parlor (')
  })
  test('a new folder is private', () => {
    openDataFolder(join(folder, 'a', 'b'))
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
  })
  test('each system has its own place', () => {
    expect(defaultDataFolder('linux', { XDG_DATA_HOME: '/x' }, '/h')).toBe('/x/parlor')
    expect(defaultDataFolder('linux', {}, '/h')).toBe('/h/.local/share/parlor')
    expect(defaultDataFolder('macos', {}, '/h')).toBe('/h/Library/Application Support/Parlor')
  })
})

describe('secrets in a file', () => {
  test('are private, survive, and can be removed', async () => {
    await fileSecrets(folder).set('a', '1')
    await fileSecrets(folder).set('b', '2')
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    const secrets = fileSecrets(folder)
    await secrets.remove('a')
    expect(await secrets.get('a')).toBeUndefined()
    expect(await secrets.get('b')).toBe('2')
  })
  test('written at the same time are all stored', async () => {
    const secrets = fileSecrets(folder)
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => secrets.set(name, name)))
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((name) => secrets.get(name)))).toEqual(['a', 'b', 'c', 'd'])
  })
  test('a damaged file counts as empty, and is renamed', async () => {
    writeFileSync(join(folder, 'secrets.json'), '{"a":')
    expect(await fileSecrets(folder).get('a')).toBeUndefined()
    expect(readFileSync(join(folder, 'secrets.json.damaged'), 'utf8')).toBe('{"a":')
  })
})

describe('http', () => {
  async function withServer<T>(
    answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined,
    use: (url: string) => Promise<T>,
  ): Promise<T> {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
  const get = (url: string) => ({ method: 'GET', url, headers: {} })

  test('nothing listens on the port: nothing was sent', async () => {
    const free = await withServer(undefined, (url) => Promise.resolve(url))
    await expect(nodeHttp().request(get(free))).rejects.toMatchObject({ kind: 'network', sent: false })
  })
  test('no response in time: the server may have acted', async () => {
    await withServer(
      () => undefined,
      async (url) => {
        await expect(nodeHttp().request({ ...get(url), timeoutMs: 50 })).rejects.toMatchObject({
          kind: 'timeout',
          sent: true,
        })
      },
    )
  })
  test('giving up one request does not touch another on the same connection', async () => {
    const answers: (() => void)[] = []
    await withServer(
      (_q: unknown, r: ServerResponse) => void answers.push(() => r.end('done')),
      async (url) => {
        const given = new AbortController()
        const first = nodeHttp().request({ ...get(url), signal: given.signal })
        await vi.waitFor(() => expect(answers).toHaveLength(1))
        answers[0]?.()
        await first
        const second = nodeHttp().request(get(url))
        await vi.waitFor(() => expect(answers).toHaveLength(2))
        given.abort()
        answers[1]?.()
        expect(await second).toMatchObject({ status: 200, text: 'done' })
      },
    )
  })
  test('a request that is given up ends at once', async () => {
    const given = new AbortController()
    await withServer(
      () => given.abort(),
      async (url) => {
        const requested = nodeHttp().request({ ...get(url), signal: given.signal })
        await expect(requested).rejects.toMatchObject({ kind: 'aborted', sent: true })
        const late = nodeHttp().request({ ...get(url), signal: given.signal })
        await expect(late).rejects.toMatchObject({ kind: 'aborted', sent: false })
      },
    )
  })
  test('its sockets detect a peer that is gone', async () => {
    const keepsAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
    await withServer(
      (_request, response) => response.end('{}'),
      (url) => nodeHttp().request(get(url)),
    )
    expect(keepsAlive).toHaveBeenCalledWith(true, KEEP_ALIVE_MS)
    keepsAlive.mockRestore()
  })
  test('a redirect is a response and is not followed', async () => {
    await withServer(
      (_q: unknown, r: ServerResponse) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      async (url) => {
        expect(await nodeHttp().request(get(url))).toMatchObject({ status: 302 })
      },
    )
  })
  test('a body without end is cut off', async () => {
    await withServer(
      (_q: unknown, r: ServerResponse) => {
        const block = Buffer.alloc(1 << 20)
        const more = (): void => {
          while (r.writable && r.write(block));
          if (r.writable) r.once('drain', more)
        }
        more()
      },
      async (url) => {
        await expect(nodeHttp().request(get(url))).rejects.toMatchObject({ kind: 'too-large' })
      },
    )
  })
  test('a file is sent whole as one part, with a name that cannot break out', async () => {
    const path = join(folder, 'f')
    writeFileSync(path, 'x'.repeat(200_000))
    let seen = ''
    let notified = 0
    await withServer(
      (q: IncomingMessage, r: ServerResponse) => {
        q.setEncoding('utf8').on('data', (text: string) => (seen += text))
        q.on('end', () => r.end('ok'))
      },
      async (url) => {
        const body = {
          path,
          fileName: 'a"\r\nX: y.png',
          mimeType: 'image/png',
          onProgress: (bytes: number) => (notified = bytes),
        }
        expect(await nodeHttp().request({ method: 'POST', url, headers: {}, body })).toMatchObject({
          status: 200,
          text: 'ok',
        })
      },
    )
    expect(seen).toContain('filename="a___X: y.png"\r\nContent-Type: image/png\r\n\r\nxxx')
    expect(notified).toBe(200_000)
  })
  describe('an interrupted download', () => {
    const WHOLE = 'abcdefghijklmnopqrstuvwxyz'
    /** Sends ten letters of the first response and drops the connection; then responds with `more`. */
    async function broken(more: (request: IncomingMessage, response: ServerResponse) => void, tag = '"one"') {
      const requested: (string | undefined)[] = []
      const path = join(folder, 'd', 'file')
      const outcome = await withServer(
        (request: IncomingMessage, response: ServerResponse) => {
          requested.push(request.headers.range)
          if (requested.length > 1) return more(request, response)
          response.writeHead(200, { 'content-length': WHOLE.length, etag: tag })
          response.write(WHOLE.slice(0, 10))
          void vi.waitFor(() => expect(statSync(path).size).toBe(10)).then(() => response.destroy())
        },
        async (url) => {
          const http = nodeHttp()
          const first = await http.download(get(url), path, 100).catch((error: { kind: string }) => error.kind)
          const second = await http.download(get(url), path, 100).catch((error: { kind: string }) => error.kind)
          return [first, second]
        },
      )
      return { outcome, asked: requested, text: () => readFileSync(path, 'utf8') }
    }
    const rest = (response: ServerResponse, from = 10, total = WHOLE.length): void => {
      response.writeHead(206, { 'content-range': `bytes ${from}-${total - 1}/${total}` }).end(WHOLE.slice(from))
    }

    test('is resumed when it is requested again', async () => {
      const {
        outcome,
        asked: requested,
        text,
      } = await broken((request, response) => {
        expect(request.headers['if-range']).toBe('"one"')
        rest(response)
      })
      expect(outcome[0]).toBe('network')
      expect(requested).toEqual([undefined, 'bytes=10-'])
      expect(text()).toEqual(WHOLE)
      expect(outcome[1]).toMatchObject({ status: 200, sizeBytes: WHOLE.length })
    })

    test('starts again when the file has changed', async () => {
      const { outcome, text } = await broken((_request, response) => response.writeHead(200).end('other'))
      expect(outcome[1]).toMatchObject({ status: 200, sizeBytes: 5 })
      expect(text()).toBe('other')
    })

    test('starts again when the server sends another part than requested', async () => {
      const {
        outcome,
        asked: requested,
        text,
      } = await broken((request, response) =>
        request.headers.range === undefined ? response.end(WHOLE) : rest(response, 12),
      )
      expect(outcome[1]).toMatchObject({ status: 200 })
      expect(requested.length).toBe(3)
      expect(text()).toEqual(WHOLE)
    })

    test('leaves nothing behind where a server can only send all of it', async () => {
      const { asked: requested, text } = await broken((_request, response) => response.end(WHOLE), 'W/"weak"')
      expect(requested).toEqual([undefined, undefined])
      expect(text()).toEqual(WHOLE)
    })
  })

  test('a stalled download ends long before its limit', async () => {
    await withServer(
      (_request, response) => response.writeHead(200, { 'content-length': '4' }).write('x'),
      async (url) => {
        const request = { ...get(url), timeoutMs: 600_000, stallMs: 50 }
        await expect(nodeHttp().download(request, join(folder, 'cut'), 10)).rejects.toMatchObject({ kind: 'network' })
      },
    )
  })

  test('a download larger than agreed leaves nothing behind', async () => {
    const path = join(folder, 'd', 'file')
    await withServer(
      (_q: unknown, r: ServerResponse) => r.end('x'.repeat(100)),
      async (url) => {
        await expect(nodeHttp().download(get(url), path, 10)).rejects.toMatchObject({ kind: 'too-large' })
        expect(() => statSync(path)).toThrow('ENOENT')
        expect(await nodeHttp().download(get(url), path, 100)).toMatchObject({ status: 200, sizeBytes: 100 })
      },
    )
  })
})
