/** Whether motion is reduced, by the setting or by the system. */
export function isMotionReduced(): boolean {
  if (document.documentElement.dataset['motion'] === 'reduced') return true
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches
}
