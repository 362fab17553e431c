import type { Ids } from '#main/lib/ids.ts'

/** A readable id made from a name; names without Latin letters get a neutral one. */
export function personId(name: string, ids: Ids): string {
  const translate = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁ]/g, 'l')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${translate === '' ? 'person' : translate}-${ids.uuid().slice(0, 4)}`
}
