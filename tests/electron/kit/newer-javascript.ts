/**
 * Runs in a page: adds what PDF.js needs of JavaScript and Parlor's own Electron has, but not the Chromium of this one
 * (130). Nothing else of Parlor needs it.
 */
export function addNewerJavaScript(): void {
  const add = (to: object, methods: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(methods)) {
      if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true })
    }
  }
  const maps = {
    getOrInsert(this: Map<unknown, unknown>, key: unknown, value: unknown): unknown {
      if (!this.has(key)) this.set(key, value)
      return this.get(key)
    },
    getOrInsertComputed(this: Map<unknown, unknown>, key: unknown, compute: (key: unknown) => unknown): unknown {
      if (!this.has(key)) this.set(key, compute(key))
      return this.get(key)
    },
  }
  add(Map.prototype, maps)
  add(WeakMap.prototype, maps)
  add(Uint8Array.prototype, {
    toHex(this: Uint8Array): string {
      return [...this].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    },
    toBase64(this: Uint8Array): string {
      return btoa([...this].map((byte) => String.fromCharCode(byte)).join(''))
    },
  })
  add(Uint8Array, {
    fromBase64: (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)),
  })
  add(Math, { sumPrecise: (numbers: Iterable<number>): number => [...numbers].reduce((sum, one) => sum + one, 0) })
}
