import type { HandlersOf } from '#shared/bridge/index.ts'
import type { SentPreview } from '#shared/domain/intent.ts'
import type { LinkPreview } from '#shared/domain/attachment.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { getOg } from '#shared/wire/app.ts'
import { type Core, requireConnection } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { CallContext } from '../../context.ts'
import { ApiError } from '../../api/errors.ts'
import { asWire, nameOf, textOf, urlOf } from '../../decode/read.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** The address of a picture that `LinkPreview.picture` names. */
    previewPicture(ref: string): string | undefined
  }
}

type Parts = Pick<Core, 'api' | 'isHealthy' | 'life' | 'memory' | 'once' | 'ports'>

export const linksFeature = defineFeature({
  create: (core: Parts) => ({
    calls: { links: linkCalls(core) },
    offers: { previewPicture: (ref: string) => previewPicture(core, ref) },
  }),
})

/** Number of previews cached while the program runs; the oldest are dropped first. */
const REMEMBERED = 200
/** Characters of each preview text that are sent with a message: the intent must fit into the outbox. */
const PREVIEW_TEXT_LENGTH = 300
const PLAIN = ['type', 'title_link', 'author_link', 'image_url', 'thumb_url', 'asset_url'] as const

/** See docs/wire.md 7.19. Previews are stored in `memory.previews`, from where a message includes them. */
function linkCalls(core: Parts): HandlersOf<'links', CallContext> {
  const running = new Map<string, AbortController>()

  async function fetchPreview(url: string): Promise<SentPreview> {
    requireConnection(core)
    const stop = running.get(url) ?? new AbortController()
    running.set(url, stop)
    try {
      const signal = AbortSignal.any([core.life, stop.signal])
      const found = previewFrom(core, url, await core.api.send(getOg, { query: { url }, signal }))
      if (found === undefined) throw new AppError('link/no-preview')
      remember(core, url, found)
      return found
    } catch (error) {
      // 4: the page may not be fetched, 16: it has no preview, 19: previews are off. The same for the user.
      if (error instanceof ApiError && [4, 16, 19].includes(error.wireCode ?? 0)) {
        throw new AppError('link/no-preview', { cause: error })
      }
      throw error
    } finally {
      running.delete(url)
    }
  }

  return {
    preview: async ({ url }) => {
      const known = core.memory.previews.get(url)
      return (known ?? (await core.once(`og:${url}`, () => fetchPreview(url)))).shown
    },
    stop: ({ url }) => running.get(url)?.abort(),
  }
}

function remember(core: Pick<Core, 'memory'>, url: string, found: SentPreview): void {
  const { previews } = core.memory
  if (previews.size >= REMEMBERED) previews.delete(previews.keys().next().value ?? '')
  previews.set(url, found)
}

/**
 * See docs/wire.md 3.1 and 5.9 "OG ATTACHMENT". The response's `duration` is the server's processing time, so it is
 * dropped.
 */
function previewFrom(core: Pick<Core, 'ports'>, url: string, answer: unknown): SentPreview | undefined {
  const wire = asWire(answer) ?? {}
  const title = nameOf(wire['title'], PREVIEW_TEXT_LENGTH)
  const text = textOf(wire['text'], PREVIEW_TEXT_LENGTH)
  const siteName = nameOf(wire['author_name'], PREVIEW_TEXT_LENGTH)
  const plain = PLAIN.flatMap((key) => {
    const value = key === 'type' ? nameOf(wire[key], 50) : urlOf(wire[key])
    return value === undefined ? [] : [[key, value] as const]
  })
  const addresses = Object.fromEntries(plain)
  if (title === undefined && text === undefined && addresses['image_url'] === undefined) return undefined
  const shown: LinkPreview = {
    url,
    title,
    ...(text === undefined ? {} : { text }),
    siteName,
    picture: pictureIn(addresses) === undefined ? undefined : `${PICTURE}${core.ports.ids.uuid()}`,
  }
  const texts = {
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    ...(siteName === undefined ? {} : { author_name: siteName }),
  }
  return { shown, raw: { ...addresses, ...texts, og_scrape_url: url } }
}

const PICTURE = 'preview/'

const pictureIn = ({ thumb_url: small, image_url: image }: Readonly<Record<string, unknown>>): string | undefined => {
  const address = small ?? image
  return typeof address === 'string' ? address : undefined
}

/** The address of the picture behind `LinkPreview.picture`. */
function previewPicture(core: Pick<Core, 'memory'>, ref: string): string | undefined {
  if (!ref.startsWith(PICTURE)) return undefined
  const found = [...core.memory.previews.values()].find(({ shown }) => shown.picture === ref)
  return found && pictureIn(found.raw)
}
