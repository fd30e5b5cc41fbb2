// A code of the error catalogue, as it comes over the wire.
import * as v from "valibot";
import { ERRORS, type ErrorCode } from "./errors.ts";

export const errorCode: v.GenericSchema<string, ErrorCode> = v.picklist(Object.keys(ERRORS) as ErrorCode[]);
