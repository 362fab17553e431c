import { configure } from '@testing-library/react'

/**
 * As in the app: a component that changes something while rendering, or does not survive running its effects twice,
 * fails.
 */
configure({ reactStrictMode: true })

/** happy-dom has no popovers: here they are shown where they are in the document. */
Object.assign(HTMLElement.prototype, {
  showPopover(this: HTMLElement): void {
    this.dataset['shown'] = ''
  },
  hidePopover(this: HTMLElement): void {
    delete this.dataset['shown']
  },
})
