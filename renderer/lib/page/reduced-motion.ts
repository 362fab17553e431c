/** Whether movement is unwelcome: by the setting, or by the system's wish. */
export function isMotionReduced(): boolean {
  if (document.documentElement.dataset['motion'] === 'reduced') return true
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches
}
