import { configure } from '@testing-library/react'
import { beforeAll } from 'vitest'

/**
 * Strict as in the app: a component that changes something while rendering, or does not survive running its effects twice,
 * fails. In one call, because each call resets what it does not name. The time is a limit for hangs, not a measure.
 */
configure({ reactStrictMode: true, asyncUtilTimeout: 30_000 })

/** happy-dom has no popovers: here they are shown where they are in the document. */
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement): void {
    this.dataset['shown'] = ''
  },
  hidePopover(this: HTMLElement): void {
    delete this.dataset['shown']
  },
})

/** The library does this once, when it is imported: files that share their modules after the first would go without. */
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})
