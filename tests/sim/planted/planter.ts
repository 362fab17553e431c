/** Loaded before the program (`node --import`): plants one bug into the sources as they are loaded. */
import { registerHooks } from 'node:module'
import { MODEL_PLANTS, PLANTS } from './plants.ts'

const plant = [...PLANTS, ...MODEL_PLANTS].find(({ name }) => name === process.env['PARLOR_PLANT'])

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const edits = plant?.edits.filter(({ file }) => url.endsWith(`/${file}`)) ?? []
    if (edits.length === 0) return loaded
    const source = edits.reduce((text, { find, put }) => text.replace(find, () => put), textOf(loaded.source))
    return { ...loaded, source }
  },
})

const textOf = (source: unknown): string =>
  typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString()
