/** A readable id made from a name; names without Latin letters get a neutral one. */
export function personId(name: string, ids: { uuid(): string }): string {
  const latin = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁ]/g, 'l')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${latin === '' ? 'person' : latin}-${ids.uuid().slice(0, 4)}`
}
