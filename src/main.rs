fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    use bunzai::Codec;
    let got = bunzai::MarinaraPersona::to_canonical(text).unwrap();
    println!("{:?}", got.entity.body);
}
