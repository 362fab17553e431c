export type MediaVariant = 'full' | 'thumb'
export type MediaRef = { readonly ref: string; readonly variant: MediaVariant }

const KINDS = new Set(['att', 'user', 'channel', 'upload', 'emoji', 'profile', 'preview'])
const VARIANTS = new Set<string>(['full', 'thumb'])
/** Ids of the contract: letters, digits and a few marks. No slash, so that an id is one segment. */
const ID = /^[\w@!.:-]{1,300}$/

/** Whether a reference has a known kind and a well-formed id. It names an entity, never a path. */
export function isMediaRef(ref: unknown): ref is string {
  if (typeof ref !== 'string') return false
  const slash = ref.indexOf('/')
  return KINDS.has(ref.slice(0, slash)) && ID.test(ref.slice(slash + 1)) && !ref.includes('..')
}

export function isMediaVariant(variant: unknown): variant is MediaVariant {
  return typeof variant === 'string' && VARIANTS.has(variant)
}

/**
 * `media://att/<id>/<variant>`, as the preload returns it to the page, which may append a number (`?1`) to reload it.
 */
export function mediaUrl(ref: string, variant: MediaVariant): string {
  const slash = ref.indexOf('/')
  return `media://${ref.slice(0, slash)}/${encodeURIComponent(ref.slice(slash + 1))}/${variant}`
}

/** The entity an address names, or `undefined` for anything that {@link mediaUrl} would not have written. */
export function resolveMediaUrl(method: string, url: string): MediaRef | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const match = /^media:\/\/([a-z]+)\/([^/?#]+)\/([a-z]+)(?:\?\d{1,9})?$/.exec(url)
  if (!match) return undefined
  const [, kind, encodedId, variant] = match
  try {
    const ref = `${kind}/${decodeURIComponent(encodedId ?? '')}`
    return isMediaRef(ref) && isMediaVariant(variant) ? { ref, variant } : undefined
  } catch {
    // Broken percent-encoding names no entity.
    return undefined
  }
}
