// The commonest passwords of ten characters and more, in lower case. Shorter ones are refused by their length.
// Kept short on purpose: it stops what is tried first, the limit on tries stops the rest.

const LIST = `
0123456789 1234567890 12345678910 123456789a 1234567891 1234512345 123123123123 1231231231 123456123456 0987654321
9876543210 1029384756 1111111111 0000000000 1122334455 11223344556 111222333444 1212121212 1q2w3e4r5t 1q2w3e4r5t6y
1qaz2wsx3edc 1qazxsw23edc q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedcr qazwsxedc123 qwertyuiop qwertyuiop123 qwerty12345
qwerty123456 qwerty1234567 qwertyqwerty qwerty123! asdfghjkl; asdfghjkl1 asdfasdfasdf asdfghjkl123 zxcvbnm123
zxcvbnmasdfghjkl password01 password10 password11 password12 password123 password123! password1234 password12345
password2020 password2021 password2022 password2023 password2024 password2025 password2026 passw0rd123 passw0rd1!
p@ssw0rd123 p@ssword123 p@55w0rd123 password!! password1! mypassword mypassword1 mypassword123 passwordpassword
thepassword newpassword newpassword1 yourpassword nopassword1 password99 password00 changeme123 changeme1234
changemenow letmein123 letmein1234 letmeinnow letmeinplease welcome123 welcome1234 welcome2023 welcome2024
welcome2025 welcome2026 welcome123! administrator admin12345 admin123456 adminadmin administrator1 rootroot123
iloveyou12 iloveyou123 iloveyou1234 iloveyousomuch iloveyou2 iloveyouforever princess123 princess12 sunshine12
sunshine123 football12 football123 baseball12 baseball123 basketball basketball1 superman123 batman12345 spiderman1
spiderman123 starwars123 pokemon123 liverpool1 liverpool123 manchester manchester1 manchesterunited chelsea123
arsenal123 barcelona1 realmadrid juventus123 michael123 jennifer12 charlie123 jordan2323 alexander1 christopher
elizabeth1 monkey12345 dragon12345 dragon1234 shadow1234 master1234 hello12345 hellohello helloworld helloworld1
testtest12 testtest123 test123456 testing123 test1234567 guest12345 computer123 internet123 samsung123 google1234
facebook123 minecraft1 minecraft123 fuckyou123 trustno1trustno1 whatever123 abcdefghij abcdefghijk abcdef123456
abcd123456 abcd1234567 abc1234567 abc123456789 abcde12345 a123456789 a1b2c3d4e5 a1b2c3d4e5f6 aa12345678 aaaaaaaaaa
asd123456789 zaq12wsxcde zaq1zaq1zaq1 correcthorsebatterystaple secret1234 secretsecret summer2023 summer2024
summer2025 summer2026 winter2023 winter2024 winter2025 winter2026 autumn2025 spring2025 company123 causeway123
causewaycauseway lovelovelove loveyou123 michaeljackson blink182blink nintendo64 playstation playstation1 matrix1234
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(LIST.split(/\s+/).filter((word) => word !== ""));
