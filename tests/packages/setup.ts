import { makePackages, removePackages } from './kit/packages.ts'

/** Makes the packages for all tests of a run; what is returned removes them again. */
export default async function setup(): Promise<() => void> {
  const packages = await makePackages()
  process.env['PARLOR_PACKAGES'] = JSON.stringify(packages)
  return () => removePackages(packages)
}
